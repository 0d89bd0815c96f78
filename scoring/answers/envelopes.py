"""Response envelopes of providers and of programs that keep responses: unwrapped by their structure, never by a name alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scoring.cells import cell_text
from scoring.model_run import Usage
from scoring.problems import InputError
from scoring.text import visible

_CUT: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete"})
_FILTERED: Final = frozenset(
    {"content_filter", "content_filtered", "safety", "recitation", "blocklist", "prohibited_content", "spii", "guardrail_intervened"}
)
_ASSISTANTS: Final = frozenset({"assistant", "model", "ai", "chatbot"})
_THINKING: Final = frozenset({"thinking", "reasoning", "redacted_thinking", "reasoning_content", "thought"})
_REQUEST_KEYS: Final = frozenset(
    {"provider", "model", "duration", "parsed", "text", "finish_reason", "usage", "cost", "timestamp", "test_id"}
)


@dataclass(frozen=True, slots=True)
class Envelope:
    """What an envelope holds.

    Attributes:
        content: the text of the answer, or the value where the provider returned one (arguments of a tool, parsed output).
        truncated: whether the provider stopped before the answer's end.
        repairs, warnings: liberties taken.
        usage: what the answer took.
    """

    content: Any
    truncated: bool = False
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage | None = None


@dataclass(slots=True)
class _Gathered:
    """Parts of one message: texts, values of tools, reasons of its end."""

    texts: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def unwrap(value: Any) -> Envelope | None:
    """Unwrap a parsed response; None where the value is no envelope of a known kind.

    Raises:
        InputError: the envelope holds an error or a refusal instead of an answer; `what` is the reason.
    """
    if isinstance(value, list):
        return _unwrap_list(value)
    if not isinstance(value, Mapping):
        return None
    inner = _outer(value)
    if inner is not None:
        if not isinstance(inner, Mapping):
            return Envelope(inner)
        found = unwrap(inner)
        return found if found is not None else Envelope(inner)
    _refuse_errors(value)
    gathered = _Gathered()
    kind = next((name for name, reader in _READERS if reader(value, gathered)), None)
    return None if kind is None else _envelope(value, kind, gathered)


def _outer(value: Mapping[str, Any]) -> Any:
    """The response inside a line of batch output; None where the value is no such line."""
    if not ("custom_id" in value or "key" in value or "recordId" in value):
        return None
    result = value.get("result")
    if isinstance(result, Mapping):
        if result.get("type") not in (None, "succeeded"):
            raise InputError(f"the provider returned an error: {_message(result)}")
        return result.get("message", result)
    response = value.get("response", value.get("modelOutput"))
    if value.get("error") and not response:
        raise InputError(f"the provider returned an error: {_message(value['error'])}")
    if isinstance(response, Mapping):
        status = response.get("status_code")
        body = response.get("body", response)
        if isinstance(status, int) and status >= 400:
            raise InputError(f"the provider returned an error: {_message(body)}")
        return body
    return None


def _refuse_errors(value: Mapping[str, Any]) -> None:
    error = value.get("error")
    alone = isinstance(error, Mapping) and set(value) <= {"error", "type", "request_id", "status", "id", "object"}
    if error and (alone or value.get("type") == "error"):
        raise InputError(f"the provider returned an error: {_message(error)}")


def _message(error: Any) -> str:
    if isinstance(error, Mapping):
        for key in ("message", "error", "detail", "type", "code"):
            if error.get(key):
                return _message(error[key])
    return visible(cell_text(error)[0][:200]) or "no reason given"


def _unwrap_list(value: Sequence[Any]) -> Envelope | None:
    """One envelope in a list, the chunks of a stream, or a conversation whose last message is the answer."""
    if not value or not all(isinstance(item, Mapping) for item in value):
        return None
    streamed = _joined_stream(value)
    if streamed is not None:
        return streamed
    if all("role" in item and ("content" in item or "parts" in item) for item in value):
        spoken = [item for item in value if str(item["role"]).casefold() in _ASSISTANTS]
        return unwrap(spoken[-1]) if spoken else None
    if len(value) == 1:
        generated = value[0].get("generated_text")
        if isinstance(generated, str | list):
            return Envelope(generated) if isinstance(generated, str) else _unwrap_list(generated)
        return unwrap(value[0])
    return None


def _joined_stream(chunks: Sequence[Mapping[str, Any]]) -> Envelope | None:
    texts: list[str] = []
    reasons: list[str] = []
    for chunk in chunks:
        choices = chunk.get("choices")
        if isinstance(choices, list) and (not choices or (isinstance(choices[0], Mapping) and "delta" in choices[0])):
            for choice in choices[:1]:
                delta = choice.get("delta")
                texts.append(str(delta.get("content") or "") if isinstance(delta, Mapping) else "")
                reasons.append(str(choice.get("finish_reason") or ""))
        elif isinstance(chunk.get("done"), bool) and ("response" in chunk or isinstance(chunk.get("message"), Mapping)):
            message = chunk.get("message")
            texts.append(str(chunk.get("response") or (message.get("content") if isinstance(message, Mapping) else "") or ""))
            reasons.append(str(chunk.get("done_reason") or ""))
        elif isinstance(chunk.get("type"), str) and chunk["type"].startswith(("content_block", "message_")):
            delta = chunk.get("delta")
            if isinstance(delta, Mapping):
                texts.append(str(delta.get("text") or delta.get("partial_json") or ""))
                reasons.append(str(delta.get("stop_reason") or ""))
        else:
            return None
    if len(chunks) < 2 or not any(texts):
        return None
    gathered = _Gathered(texts=["".join(texts)], reasons=[reason for reason in reasons if reason])
    return replace(_envelope(chunks[-1], "stream", gathered), repairs=(f"{len(chunks)} chunks of a stream joined",))


def _choices(value: Mapping[str, Any], gathered: _Gathered) -> bool:
    """OpenAI chat and completions, and all that copy them."""
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return False
    first = choices[0]
    message = first.get("message", first.get("delta"))
    if isinstance(message, Mapping):
        _gather_message(message, gathered)
    elif isinstance(first.get("text"), str):
        gathered.texts.append(first["text"])
    else:
        return False
    gathered.reasons.append(str(first.get("finish_reason") or ""))
    if len(choices) > 1:
        gathered.warnings.append(f"the first of {len(choices)} choices read")
    return True


def _output(value: Mapping[str, Any], gathered: _Gathered) -> bool:
    """OpenAI responses (`output` a list of items) and Bedrock converse (`output.message`)."""
    output = value.get("output")
    if isinstance(output, Mapping) and isinstance(output.get("message"), Mapping):
        _gather_message(output["message"], gathered)
        gathered.reasons.append(str(value.get("stopReason") or ""))
        return True
    if not isinstance(output, list) or not output or not all(isinstance(item, Mapping) and "type" in item for item in output):
        return False
    if not any("content" in item or "arguments" in item for item in output):
        return False
    for item in output:
        if item["type"] in _THINKING:
            continue
        if item["type"] == "function_call":
            gathered.values.append(item.get("arguments"))
        else:
            _gather_message(item, gathered)
    details = value.get("incomplete_details")
    gathered.reasons += [str(value.get("status") or ""), str(details.get("reason") or "") if isinstance(details, Mapping) else ""]
    return True


def _candidates(value: Mapping[str, Any], gathered: _Gathered) -> bool:
    """Gemini."""
    candidates = value.get("candidates")
    if not isinstance(candidates, list) or not candidates or not isinstance(candidates[0], Mapping):
        return False
    first = candidates[0]
    if not isinstance(first.get("content"), Mapping) and "finishReason" not in first:
        return False
    if isinstance(first.get("content"), Mapping):
        _gather_parts(first["content"].get("parts"), gathered)
    gathered.reasons.append(str(first.get("finishReason") or first.get("finish_reason") or ""))
    if len(candidates) > 1:
        gathered.warnings.append(f"the first of {len(candidates)} candidates read")
    return True


def _message_alone(value: Mapping[str, Any], gathered: _Gathered) -> bool:
    """Anthropic messages, Ollama and Cohere chat, a message alone, LangChain dumps, a saved conversation."""
    message, content = value.get("message"), value.get("content")
    told = str(value.get("role") or "").casefold() in _ASSISTANTS or value.get("type") in ("ai", "AIMessage")
    parts = isinstance(content, list) and bool(content) and all(isinstance(part, Mapping) and "type" in part for part in content)
    if isinstance(message, Mapping) and "content" in message and ({"done", "model", "finish_reason", "id", "role"} & {*value, *message}):
        _gather_message(message, gathered)
    elif (told and "content" in value) or (parts and {"stop_reason", "model"} & set(value)):
        _gather_message(value, gathered)
    elif isinstance(value.get("kwargs"), Mapping) and "content" in value["kwargs"] and "lc" in value:
        _gather_message(value["kwargs"], gathered)
    elif isinstance(value.get("messages"), list):
        spoken = [one for one in value["messages"] if isinstance(one, Mapping) and str(one.get("role")).casefold() in _ASSISTANTS]
        if not spoken:
            return False
        _gather_message(spoken[-1], gathered)
    else:
        return False
    gathered.reasons += [str(value.get(key) or "") for key in ("stop_reason", "done_reason", "finish_reason")]
    return True


def _text_alone(value: Mapping[str, Any], gathered: _Gathered) -> bool:
    """A benchmark's request file, Ollama generate, Hugging Face: a text beside what tells that it is a response."""
    text = value.get("text")
    if len(_REQUEST_KEYS & set(value)) >= 3 and ("parsed" in value or isinstance(text, str)) and "model" in value:
        if value.get("parsed"):
            gathered.values.append(value["parsed"])
        else:
            gathered.texts.append(text if isinstance(text, str) else "")
    elif isinstance(value.get("response"), str) and ("done" in value or ("model" in value and "created_at" in value)):
        gathered.texts.append(value["response"])
    elif isinstance(value.get("generated_text"), str) and len(value) <= 3:
        gathered.texts.append(value["generated_text"])
    else:
        return False
    gathered.reasons += [str(value.get(key) or "") for key in ("finish_reason", "done_reason", "stop_reason")]
    return True


_READERS: Final = (
    ("choices", _choices), ("output", _output), ("candidates", _candidates), ("message", _message_alone), ("text", _text_alone),
)  # fmt: skip


def _gather_message(message: Mapping[str, Any], gathered: _Gathered) -> None:
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        raise InputError(f"the model refused: {visible(refusal.strip()[:200])}")
    content = message.get("content", message.get("parts"))
    if isinstance(content, str):
        gathered.texts.append(content)
    else:
        _gather_parts(content, gathered)
    if message.get("parsed"):
        gathered.values.append(message["parsed"])
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function", call) if isinstance(call, Mapping) else None
        if isinstance(function, Mapping):
            gathered.values.append(function.get("arguments", function.get("args")))
    function = message.get("function_call")
    if isinstance(function, Mapping):
        gathered.values.append(function.get("arguments"))


def _gather_parts(parts: Any, gathered: _Gathered) -> None:
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, str):
            gathered.texts.append(part)
        if not isinstance(part, Mapping) or part.get("type") in _THINKING or part.get("thought") is True:
            continue
        call = part.get("functionCall", part.get("function_call", part.get("toolUse")))
        if part.get("type") == "refusal":
            raise InputError(f"the model refused: {visible(str(part.get('refusal') or '')[:200])}")
        if part.get("type") == "tool_use" or isinstance(call, Mapping):
            gathered.values.append(part.get("input") if not isinstance(call, Mapping) else call.get("args", call.get("input")))
        elif isinstance(part.get("text"), str):
            gathered.texts.append(part["text"])


def _envelope(value: Mapping[str, Any], kind: str, gathered: _Gathered) -> Envelope:
    reasons = {reason.casefold() for reason in gathered.reasons}
    repairs, warnings = [f"the answer taken out of a response ({kind})"], list(gathered.warnings)
    values = [one for one in gathered.values if one not in (None, "")]
    texts = "".join(gathered.texts)
    if reasons & _FILTERED:
        warnings.append("the provider's filter stopped the answer")
    if values:
        if texts.strip():
            repairs.append("text beside the structured answer passed over")
        content = values[0] if len(values) == 1 else "\n".join(one if isinstance(one, str) else json.dumps(one) for one in values)
    else:
        content = texts
    return Envelope(content, bool(reasons & (_CUT | _FILTERED)), tuple(repairs), tuple(warnings), usage_of(value))


def usage_of(value: Mapping[str, Any]) -> Usage | None:
    """What an envelope states of tokens, cost and time."""
    told: Mapping[str, Any] = {}
    for key in ("usage", "usageMetadata", "usage_metadata"):
        if isinstance(value.get(key), Mapping):
            told = value[key]
    places = (told, value)
    found = Usage(
        _whole(places, "prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "prompt_eval_count"),
        _whole(places, "completion_tokens", "output_tokens", "outputTokens", "candidatesTokenCount", "eval_count"),
        _number(places, "cost", "total_cost", "cost_usd", "estimated_cost_usd", "response_cost"),
        _seconds(value),
    )
    return found if found != Usage() else None


def _number(places: Sequence[Mapping[str, Any]], *keys: str) -> float | None:
    for place in places:
        for key in keys:
            told = place.get(key)
            text = cell_text(told)[0] if isinstance(told, int | float | str) and not isinstance(told, bool) else ""
            try:
                number = float(text)
            except ValueError:
                continue
            if 0 <= number < float("inf"):
                return number
    return None


def _whole(places: Sequence[Mapping[str, Any]], *keys: str) -> int | None:
    number = _number(places, *keys)
    return None if number is None else int(number)


def _seconds(value: Mapping[str, Any]) -> float | None:
    nanoseconds = _number((value,), "total_duration")
    if nanoseconds is not None:
        return nanoseconds / 1e9
    return _number((value,), "duration", "duration_seconds", "elapsed", "latency_seconds")
