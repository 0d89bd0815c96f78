"""Small campaigns for tests, built in a folder."""

import json
from pathlib import Path

from scoring.relations.inputs.material import Material, load_campaign, places

EN = "HIPE-2026-v1.0-impresso-test-en"
SURPRISE = "HIPE-2026-v1.0-surprise-test-fr"
INFO = {"hipe_parameter_count": 10_000_000, "team_parameter_count": 1, "hipe_model_size": 40, "team_model_size": 1}


def pair(pers="p1", loc="l1", at="TRUE", is_at="FALSE", **more):
    return {
        "pers_entity_id": pers,
        "pers_wikidata_QID": None,
        "pers_mentions_list": [pers],
        "loc_entity_id": loc,
        "loc_wikidata_QID": "Q1",
        "loc_mentions_list": [loc],
        "at": at,
        "isAt": is_at,
        **more,
    }


def document(document_id="d1", pairs=(), text="p1 went to l1. Later p2 saw l2.", **more):
    return {
        "document_id": document_id,
        "source": "s",
        "media": {"publication_title": "T", "time_period": "1900s", "source_type": "Newspaper"},
        "date": "1900-01-01",
        "language": "en",
        "text": text,
        "sampled_pairs": list(pairs),
        **more,
    }


def jsonl(documents):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents)


def campaign(folder: Path, gold, runs, infos=None, stem=EN) -> Path:
    """A campaign of one reference: `runs` are documents (or text, or bytes) by `team_run`; `infos` replace the default ones."""
    (folder / "data" / "reference").mkdir(parents=True, exist_ok=True)
    systems = folder / "data" / "systems"
    systems.mkdir(exist_ok=True)
    (folder / "data" / "reference" / f"{stem}.jsonl").write_text(jsonl(gold), encoding="utf-8")
    for name, held in runs.items():
        team, run = name.rsplit("_", 1)
        content = held if isinstance(held, bytes) else (held if isinstance(held, str) else jsonl(held)).encode("utf-8", "surrogatepass")
        (systems / f"{team}_{stem}_{run}.jsonl").write_bytes(content)
        info = (infos or {}).get(name, INFO)
        if info is not None:
            (systems / f"{team}_{stem}_{run}-info.json").write_text(info if isinstance(info, str) else json.dumps(info), encoding="utf-8")
    return folder


def material(folder: Path, gold, runs, infos=None, stem=EN) -> Material:
    return load_campaign(places(campaign(folder, gold, runs, infos, stem)))


def labelled(document_held, at=None, is_at=None):
    """A copy with labels replaced by pair position."""
    copy = json.loads(json.dumps(document_held))
    for position, label in (at or {}).items():
        copy["sampled_pairs"][position]["at"] = label
    for position, label in (is_at or {}).items():
        copy["sampled_pairs"][position]["isAt"] = label
    return copy


GOLD = [
    document("d1", [pair("p1", "l1", "TRUE", "TRUE"), pair("p1", "l2", "FALSE"), pair("p2", "l1", "PROBABLE"), pair("p2", "l2", "TRUE")]),
    document("d2", [pair("p3", "l1", "FALSE"), pair("p3", "l3", "PROBABLE", "FALSE")], text="p3 wrote from l3."),
]
