"""The constructed ground truth: three pages of an arrivals register that never existed, in the style of eighteenth-century Venice.

A few names are those the published method description cites as worked cases; the other people, and all dates, lodgings and
families, are made up for this example. Rows are `FIELDS`, separated by `|`; an empty cell is a blank.
"""

from __future__ import annotations

FIELDS = (
    "name",
    "title",
    "arrival_date",
    "departure_date",
    "place_of_stay",
    "place_of_origin",
    "with_spouse",
    "with_siblings",
    "children_count",
)

PAGE_28 = """
Mandolin Todros||February 9 1769|February 13 1769|Ghetto Novo|Verona|N|N|
Leon q.m. Iacob Tedesco||February 9 1769||Ghetto Vecchio|Trieste|N|N|
Israel Baysan||February 9 1769|February 14 1769|Ghetto Novo|Verona|N|N|
Salamon Cormos||February 10 1769||Ghetto Vecchio|Cormos|N|N|
Zuanne Orsi||February 10 1769|February 15 1769|Locanda al Leon Bianco|Udine|N|N|0
Marina Orsi||February 10 1769|February 15 1769|Locanda al Leon Bianco|Udine|N|N|
Gasparo Tremolini|Conte|February 10 1769||Casa Zen a S. Moisè|Bergamo|Y|N|2
Lucia Tremolini|Contessa|February 10 1769||Casa Zen a S. Moisè|Bergamo|Y|N|2
Abt||February 11 1769|February 12 1769|Locanda allo Scudo di Francia|Vienna|N|N|
Iseppo q.m. Zuanne Brunetti||February 11 1769||S. Luca|Padova|N|N|
Bernardin Scaletta|Abate|February 12 1769||Casa di Andrea Bon a Sant'Angelo|Roma||N|
Anna Maria Valieri||February 12 1769|February 15 1769|Casa Feltrina|Treviso||N|1
Anna Rosa Valieri||February 12 1769|February 15 1769|Casa Feltrina|Treviso||N|
Giacomo Pertoldi||February 13 1769||S. Maria Zobenigo|Gorizia|N|N|
Carlo Hartwich|Barone|February 13 1769||Locanda allo Scudo di Francia|Lubiana|N|N|
Domenico Zaghi|Dottor|February 14 1769||SS. Apostoli|Ferrara|N||
Pietro Antonio Moras|||February 14 1769|S. Canciano|Cormos|N|N|
Tommaso Winckel|Tenente Colonello||February 15 1769|Locanda alla Regina d'Inghilterra|Praga|N|N|
"""

PAGE_36 = """
Ernesto di Bargh|Conte|April 6 1769||Locanda al Leon Bianco|Vienna|N|N|
De Flamarin|Marchese|April 6 1769|April 11 1769|Locanda allo Scudo di Francia|Parigi|N|N|
Bassa|Barone|April 6 1769||Casa Zen a S. Moisè|Trieste|N|N|
Francesco Kin?gsech|Conte|April 6 1769||Locanda alla Regina d'Inghilterra|Vienna|N|N|
Niccolò ?lelingen||April 7 1769||S. Bortolamio|Augusta|N|N|
Federico ?gorosd|Tenente Colonello|April 7 1769|April 12 1769|Locanda al Leon Bianco|Praga|N|N|
Anna Serri||April 7 1769||Casa Corner a S. Polo|Milano||Y|
Bruno Serri||April 7 1769||Casa Corner a S. Polo|Milano||Y|
Girolamo Feratti||April 7 1769||S. Salvador|Bologna|N|N|
Teresa Feratti||April 7 1769||S. Salvador|Bologna|N|N|
Moisè q.m. Abram Luzzato||April 7 1769|April 9 1769|Ghetto Novo|Gorizia|N|N|
Abram q.m. Moisè Luzzato||April 7 1769||Ghetto Vecchio|Gorizia|N|N|
Antonio Mazzoleni|Cavaliere|April 8 1769||Casa del Sig. Grimani|Bergamo|Y|N|3
Elena Mazzoleni||April 8 1769||Casa del Sig. Grimani|Bergamo|Y|N|3
Zan Batta Fornari||April 8 1769||S. Zulian|Brescia|N|N|
Mattio Fabris||April 8 1769|April 12 1769|Locanda alla Campana|Udine|N|N|
Odorico Vidussi||April 8 1769||Sant'Apollinare|Gorizia|N|N|
Leopoldo Trautner|Generale|April 8 1769||Locanda allo Scudo di Francia|Vienna|Y|N|
Cristiana Trautner||April 8 1769||Locanda allo Scudo di Francia|Vienna|Y|N|
Luigi Passerin|Abate|April 9 1769||Ospizio de' Padri Teatini|Torino||N|
Stefano Cragnolin||April 9 1769||S. Giovanni Crisostomo|Trieste|N|N|
Marco Ermolao Sandri||April 9 1769||S. Giovanni Crisostomo|Verona|N|N|
Paolo Bevilaqua|Dottor|April 9 1769||SS. Giovanni e Paolo|Padova|N|N|
Giuseppe Rossetti||April 9 1769|April 10 1769|S. Maria Zobenigo|Rovigo|N|N|
Iacob q.m. Isach Morpurgo||April 10 1769||Ghetto Novo|Gradisca|N|N|1
Ventura Sforno||April 10 1769||Ghetto Novo|Mantova|N|N|
Simon Deghen||April 10 1769||Casa Feltrina|Lubiana|N|N|
Ludovico Castelbarco|Conte|April 10 1769||Casa Zen a S. Moisè|Rovereto|N|N|
Margarita Pichler||April 10 1769||S. Cassan|Bolzano|N|N|4
Valentin Kropf|Capitano|April 11 1769||Locanda alla Campana|Graz|N|N|
Filippo Ravasini||April 11 1769||Sant'Angelo|Parma|N|N|
Orsola Cumano||April 11 1769||Casa di Andrea Bon a Sant'Angelo|Feltre||N|
Giulio Piazzola||April 11 1769||S. Luca|Vicenza|N|N|
Tadeo Wernich|Barone|April 12 1769||Locanda alla Regina d'Inghilterra|Dresda|N|N|
Michiel Sartorio|||April 12 1769|S. Silvestro|Trieste|N|N|
Sebastian Lanfranchi|||April 12 1769|S. Marcuola|Cremona|N|N|
Bortolo Quarin|||April 12 1769|S. Barnaba|Gradisca|N|N|
"""

PAGE_39 = """
Antonia Belgrado|Contessa|November 9 1769||Casa Corner a S. Polo|Udine|N|N|1
Lorenzo Mistruzzi||November 9 1769|November 13 1769|S. Moisè|Palma|N|N|
Enrico Stadler|Capitano|November 10 1769||Locanda allo Scudo di Francia|Vienna|N|N|
Caliman q.m. Lazaro Pincherle||November 10 1769||Ghetto Vecchio|Trieste|N|N|
Zorzi Rumignan||November 11 1769||S. Bortolamio|Pordenone|Y|N|2
Catterina Rumignan||November 11 1769||S. Bortolamio|Pordenone|Y|N|2
Girardo Venturelli|Abate|November 12 1769||Ospizio de' Padri Teatini|Modena||N|
Iseppo Clementi||November 13 1769|November 15 1769|Locanda alla Campana|Rovereto|N|Y|
Nicolò Clementi||November 13 1769|November 15 1769|Locanda alla Campana|Rovereto|N|Y|
Federico Hauswirth|Barone||November 14 1769|Casa Zen a S. Moisè|Graz|N|N|
"""

Person = dict[str, str]


def _people(table: str) -> tuple[Person, ...]:
    return tuple(dict(zip(FIELDS, line.split("|"), strict=True)) for line in table.strip().splitlines())


PAGES: dict[str, tuple[Person, ...]] = {"28": _people(PAGE_28), "36": _people(PAGE_36), "39": _people(PAGE_39)}
