from fractions import Fraction

from scoring.relations.measures.evaluation import aligned_runs, score_campaign
from tests.scoring.relations.builders import GOLD, document, labelled, material, pair


def scored(folder, gold, answers, **more):
    held = material(folder, gold, {"team1_run1": answers}, **more)
    aligned = aligned_runs(held)
    return score_campaign(held, aligned).runs[0]


def test_ids_that_glue_to_one_key_are_two_pairs_to_us_and_one_officially(tmp_path):
    gold = [document("d", [pair("a", "bc", "TRUE", "TRUE"), pair("ab", "c", "FALSE", "FALSE")])]
    run = scored(tmp_path, gold, gold)
    assert run.official.counts["at_total"] == 1
    assert run.ours.confusions["at"].total == 2
    assert run.ours.score == 1


def test_what_is_supplied_or_ignored_is_counted(tmp_path):
    answers = [
        document("d1", [pair("p1", "l1", None, None), pair("p1", "l2", "FALSE"), pair("p1", "l2", "TRUE"), pair("x", "y")], text="other"),
        document("d9", [pair()]),
        document("d9", [pair()]),
    ]
    counts = scored(tmp_path, GOLD, answers).aligned.counts
    assert (counts.missing_documents, counts.pairs_of_missing_documents, counts.missing_pairs) == (1, 2, 2)
    assert (counts.extra_documents, counts.extra_pairs) == (1, 1)
    assert (counts.duplicate_documents, counts.duplicate_pairs) == (1, 1)
    assert (counts.null_labels, counts.imputed_pairs) == (2, 4)
    assert counts.other_texts == 1


def test_null_and_absent_are_false_and_the_last_one_wins(tmp_path):
    answers = [document("d1", [pair("p1", "l1", "FALSE", None), pair("p1", "l1", "TRUE", "TRUE")])]
    run = scored(tmp_path, GOLD, answers)
    assert list(run.aligned.labels["at"]) == ["TRUE", "FALSE", "FALSE", "FALSE", "FALSE", "FALSE"]


def test_perfect_answers_score_one_both_ways(tmp_path):
    run = scored(tmp_path, GOLD, GOLD)
    assert run.official.scores["global_score"] == 1.0
    assert run.ours.score == Fraction(1)


def test_documents_carry_what_a_resample_needs(tmp_path):
    run = scored(tmp_path, GOLD, [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]])
    right, support = zip(*run.ours.by_document["at"], strict=True)
    assert support == ((1, 1, 2), (1, 1, 0))
    assert right == ((1, 1, 1), (1, 1, 0))


def test_a_duplicate_gold_document_counts_once(tmp_path):
    gold = [GOLD[0], labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]]
    run = scored(tmp_path, gold, GOLD)
    assert run.official.counts["at_total"] == 6
    assert run.official.counts["at_correct"] == 5
    assert run.ours.confusions["at"].total == 6
