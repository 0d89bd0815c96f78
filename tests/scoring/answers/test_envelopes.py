"""Responses of providers as people save them: unwrapped by structure, with what they say of cost and of their end."""

import json

import pytest

from scoring.answers import parse_records
from scoring.answers.envelopes import unwrap
from scoring.model_run import Usage
from scoring.problems import InputError

FIELDS = ("name", "origin")
RECORDS = [{"name": "Anna Serri", "origin": "Trento"}, {"name": "Bruno Bassa", "origin": "Roma"}]
TEXT = "Here they are:\n```json\n" + json.dumps(RECORDS) + "\n```"
CALL = {"type": "function", "function": {"name": "save", "arguments": json.dumps({"travelers": RECORDS})}}


def chat(content: object, reason: str = "stop", **more: object) -> dict[str, object]:
    message = {"role": "assistant", "content": content, **more}
    return {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": reason}]}


ENVELOPES = {
    "OpenAI chat": chat(TEXT),
    "OpenAI chat, reasoning beside it": chat(TEXT, reasoning_content=json.dumps([{"name": "Draft"}] * 9)),
    "OpenAI chat, content in parts": chat([{"type": "text", "text": TEXT}]),
    "OpenAI tools": chat(None, "tool_calls", tool_calls=[CALL]),
    "OpenAI function call": chat(None, "function_call", function_call=CALL["function"]),
    "OpenAI parsed": chat(TEXT, parsed={"travelers": RECORDS}),
    "OpenAI completion": {"object": "text_completion", "choices": [{"text": TEXT, "finish_reason": "stop"}]},
    "OpenAI responses": {
        "status": "completed",
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": json.dumps([{"name": "Draft"}] * 9)}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": TEXT}]},
        ],
    },
    "OpenAI responses, a function": {"output": [{"type": "function_call", "arguments": json.dumps({"travelers": RECORDS})}]},
    "Anthropic": {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": json.dumps([{"name": "Draft"}] * 9)}, {"type": "text", "text": TEXT}],
        "stop_reason": "end_turn",
    },
    "Anthropic tool": {"role": "assistant", "content": [{"type": "tool_use", "name": "save", "input": {"travelers": RECORDS}}]},
    "Gemini": {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": "[{}]", "thought": True}, {"text": TEXT[:40]}, {"text": TEXT[40:]}]},
                "finishReason": "STOP",
            }
        ]
    },
    "Gemini function": {"candidates": [{"content": {"parts": [{"functionCall": {"name": "save", "args": {"travelers": RECORDS}}}]}}]},
    "Ollama chat": {"model": "m", "message": {"role": "assistant", "content": TEXT}, "done": True, "done_reason": "stop"},
    "Ollama generate": {"model": "m", "created_at": "2026-01-01", "response": TEXT, "done": True},
    "Bedrock": {"output": {"message": {"role": "assistant", "content": [{"text": TEXT}]}}, "stopReason": "end_turn"},
    "Cohere": {"id": "x", "message": {"role": "assistant", "content": [{"type": "text", "text": TEXT}]}, "finish_reason": "COMPLETE"},
    "Hugging Face": [{"generated_text": TEXT}],
    "LangChain": {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": TEXT}},
    "a conversation": [{"role": "user", "content": "Read it: [{}]"}, {"role": "assistant", "content": TEXT}],
    "messages": {"messages": [{"role": "user", "content": "Read it"}, {"role": "assistant", "content": TEXT}]},
    "OpenAI batch": {"custom_id": "page_1", "response": {"status_code": 200, "body": chat(TEXT)}, "error": None},
    "Anthropic batch": {
        "custom_id": "page_1",
        "result": {"type": "succeeded", "message": {"role": "assistant", "content": [{"type": "text", "text": TEXT}]}},
    },
    "a benchmark's request, parsed": {"provider": "p", "model": "m", "duration": 2.5, "text": "no", "parsed": {"travelers": RECORDS}},
    "a benchmark's request, text": {"provider": "p", "model": "m", "duration": 2.5, "text": TEXT, "parsed": None},
    "a list of one": [chat(TEXT)],
    "an envelope as text": json.dumps(chat(TEXT)),
}


@pytest.mark.parametrize("name", ENVELOPES)
def test_an_envelope_gives_the_records_of_its_answer(name: str) -> None:
    found = parse_records(json.dumps(ENVELOPES[name]), "json", FIELDS, key=("name",))
    assert found is not None
    assert list(found.records) == RECORDS
    assert not found.truncated


STREAMS = {
    "events": "".join(f"data: {json.dumps({'choices': [{'delta': {'content': part}}]})}\n\n" for part in (TEXT[:30], TEXT[30:]))
    + "data: [DONE]\n",
    "lines": "\n".join(json.dumps({"model": "m", "response": part, "done": part != TEXT[:30]}) for part in (TEXT[:30], TEXT[30:])),
    "a list": json.dumps([{"choices": [{"delta": {"content": part}}]} for part in (TEXT[:30], TEXT[30:])]),
}


@pytest.mark.parametrize("name", STREAMS)
def test_chunks_of_a_stream_are_joined(name: str) -> None:
    found = parse_records(STREAMS[name], "txt", FIELDS, key=("name",))
    assert found is not None
    assert list(found.records) == RECORDS


@pytest.mark.parametrize(
    "envelope",
    [
        chat(json.dumps(RECORDS), "length"),
        {"role": "assistant", "content": [{"type": "text", "text": TEXT}], "stop_reason": "max_tokens"},
        {"candidates": [{"content": {"parts": [{"text": TEXT}]}, "finishReason": "MAX_TOKENS"}]},
        {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [{"type": "message", "content": TEXT}]},
        {"provider": "p", "model": "m", "text": TEXT, "parsed": None, "finish_reason": "length"},
    ],
)
def test_a_stop_before_the_end_marks_the_page_truncated_even_if_the_json_closes(envelope: dict[str, object]) -> None:
    found = parse_records(json.dumps(envelope), "json", FIELDS)
    assert found is not None
    assert list(found.records) == RECORDS
    assert found.truncated


def test_a_filter_marks_the_page_truncated_with_a_warning() -> None:
    found = parse_records(json.dumps(chat(TEXT, "content_filter")), "json", FIELDS)
    assert found is not None
    assert found.truncated
    assert found.warnings == ("the provider's filter stopped the answer",)


def test_of_several_choices_the_first_is_read_with_a_warning() -> None:
    envelope = chat(TEXT)
    envelope["choices"] += chat("[]")["choices"]  # type: ignore[operator]
    found = parse_records(json.dumps(envelope), "json", FIELDS)
    assert found is not None
    assert found.warnings == ("the first of 2 choices read",)


@pytest.mark.parametrize(
    ("envelope", "reason"),
    [
        ({"error": {"message": "Rate limit reached", "type": "rate_limit"}}, "the provider returned an error: Rate limit reached"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "the provider returned an error: Overloaded"),
        ({"custom_id": "1", "response": None, "error": {"message": "expired"}}, "the provider returned an error: expired"),
        (
            {"custom_id": "1", "response": {"status_code": 500, "body": {"error": {"message": "down"}}}},
            "the provider returned an error: down",
        ),
        ({"custom_id": "1", "result": {"type": "errored", "error": {"message": "bad"}}}, "the provider returned an error: bad"),
        (chat(None, refusal="I can't help with that."), "the model refused: I can't help with that."),
    ],
)
def test_an_error_or_a_refusal_fails_the_page_with_its_reason(envelope: object, reason: str) -> None:
    with pytest.raises(InputError) as fault:
        parse_records(json.dumps(envelope), "json", FIELDS)
    assert fault.value.what == reason


def test_a_cut_envelope_is_no_empty_answer() -> None:
    whole = json.dumps(chat(json.dumps(RECORDS)))
    assert parse_records(whole[: whole.index("Bruno")], "json", FIELDS) is None


@pytest.mark.parametrize(
    ("envelope", "usage"),
    [
        (chat(TEXT) | {"usage": {"prompt_tokens": 12, "completion_tokens": 34}}, Usage(12, 34)),
        (ENVELOPES["Anthropic"] | {"usage": {"input_tokens": 1, "output_tokens": 2}}, Usage(1, 2)),  # type: ignore[operator]
        (ENVELOPES["Gemini"] | {"usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4}}, Usage(3, 4)),  # type: ignore[operator]
        (ENVELOPES["Ollama chat"] | {"prompt_eval_count": 5, "eval_count": 6, "total_duration": 2_500_000_000}, Usage(5, 6, None, 2.5)),  # type: ignore[operator]
        (
            {"provider": "p", "model": "m", "text": TEXT, "parsed": None, "duration": "2.5", "usage": {"cost": 0.25}},
            Usage(None, None, 0.25, 2.5),
        ),
        (chat(TEXT), None),
    ],
)
def test_usage_is_kept(envelope: dict[str, object], usage: Usage | None) -> None:
    found = parse_records(json.dumps(envelope), "json", FIELDS)
    assert found is not None
    assert found.usage == usage


@pytest.mark.parametrize(
    "value",
    [
        [{"name": "Anna", "content": "a letter", "text": "x"}],
        {"entries": [{"name": "Anna", "role": "maid", "content": "y"}]},
        {"name": "Anna", "text": "x", "message": "m"},
        [{"role": "Graf", "content": "a chest", "name": "Anna"}],
        {"model": "gpt", "phase": "p", "pages": {}},
    ],
)
def test_records_with_such_names_are_no_envelope(value: object) -> None:
    assert unwrap(value) is None
