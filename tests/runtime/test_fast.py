"""Decoding in one go changes how long a response takes, and nothing else."""

from __future__ import annotations

import asyncio
import json
import sys
from binascii import crc32
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import boto3
import orjson
import pytest
from aiobotocore.config import AioConfig
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from dyngen.runtime import fast
from dyngen.runtime.connecting import connect, connect_async

ITEM = {
    "pk": {"S": 'é\ud7ff\U0001f600 \\ " B'},
    "number": {"N": "-1.50"},
    "flag": {"BOOL": False},
    "none": {"NULL": True},
    "list": {"L": [{"S": ""}, {"M": {"x": {"NS": ["1", "2"]}}}]},
    "tags": {"SS": ["a", "b"]},
}
CAPACITY = {"TableName": "t", "CapacityUnits": 0.5}
RESPONSES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "get_item": ({"Key": {}}, {"Item": ITEM, "ConsumedCapacity": CAPACITY}),
    "put_item": ({"Item": {}}, {"Attributes": ITEM}),
    "update_item": ({"Key": {}}, {"Attributes": ITEM}),
    "delete_item": ({"Key": {}}, {}),
    "query": (
        {},
        {"Items": [ITEM, {}], "Count": 2, "ScannedCount": 2, "LastEvaluatedKey": ITEM},
    ),
    "scan": ({}, {"Items": [], "Count": 0, "ScannedCount": 7}),
}
BODIES = {
    "binary": b'{"Item": {"pk": {"B": "aGk="}}}',
    "binary set": b'{"Item": {"pk": {"BS": ["aGk="]}}}',
    "text like a type": b'{"Item": {"pk": {"S": "B"}}}',
    "no body": b"",
    "no object": b"[]",
    "unknown members": b'{"Item": {}, "New": 1}',
}


class Service:
    """Answers requests with what was prepared, one answer after another, the last one for good."""

    def __init__(self, *answers: tuple[int, dict[str, str], bytes]) -> None:
        self.answers = list(answers)
        self.requests = 0

    def answer(self, request: Any, **_: object) -> AWSResponse:
        self.requests += 1
        status, headers, body = (
            self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        )
        stream = SimpleNamespace(stream=lambda **_: iter([body]))
        return AWSResponse(request.url, status, headers, stream)

    def client(self, *, hook: bool, mode: str = "standard") -> Any:
        client = boto3.client(
            "dynamodb",
            region_name="eu-west-1",
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
            config=Config(
                parameter_validation=False,
                retries={"mode": mode, "total_max_attempts": 3},
            ),
        )
        client.meta.events.register("before-send.dynamodb", self.answer)
        if hook:
            fast.decode_fast(client)
        return client


@pytest.fixture(autouse=True)
def sleepless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)


@pytest.fixture(params=[json.loads, orjson.loads], ids=["json", "orjson"])
def loads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "loads", request.param)


def ok(body: bytes) -> tuple[int, dict[str, str], bytes]:
    return 200, {"x-amz-crc32": str(crc32(body)), "x-amzn-requestid": "r"}, body


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns or raises, to be compared."""
    try:
        return call()
    except ClientError as error:
        return type(error).__name__, error.response
    except Exception as error:
        return type(error).__name__, str(error)


def same(*answers: tuple[int, dict[str, str], bytes], mode: str = "standard") -> Any:
    """What a GetItem comes to, with the hook as without, after as many requests."""
    with_hook, without = Service(*answers), Service(*answers)
    found = [
        outcome(partial(client.get_item, TableName="t", Key={}))
        for client in (
            with_hook.client(hook=True, mode=mode),
            without.client(hook=False, mode=mode),
        )
    ]
    assert found[0] == found[1]
    assert with_hook.requests == without.requests
    return found[0], with_hook.requests


@pytest.mark.usefixtures("loads")
@pytest.mark.parametrize("operation", RESPONSES)
def test_responses_are_the_same(operation: str) -> None:
    arguments, response = RESPONSES[operation]
    service = Service(ok(json.dumps(response).encode()))
    found = [
        getattr(service.client(hook=hook), operation)(TableName="t", **arguments)
        for hook in (True, False)
    ]
    assert found[0] == found[1]
    assert found[0]["ResponseMetadata"]["RequestId"] == "r"
    assert found[0].items() >= response.items()


@pytest.mark.usefixtures("loads")
@pytest.mark.parametrize("name", BODIES)
def test_other_bodies_are_the_same(name: str) -> None:
    found, _ = same(ok(BODIES[name]))
    if name.startswith("binary"):
        assert b"hi" in (
            *found["Item"]["pk"].values(),
            *found["Item"]["pk"].get("BS", ()),
        )


@pytest.mark.usefixtures("loads")
@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_failures_are_the_same(mode: str) -> None:
    error = b'{"__type": "x#ProvisionedThroughputExceededException", "message": "m"}'
    refusal = (
        b'{"__type": "x#ConditionalCheckFailedException", "message": "m",'
        b' "Item": {"pk": {"S": "a"}}}'
    )
    good = ok(b'{"Item": {"pk": {"S": "a"}}}')
    bad_crc = 200, {"x-amz-crc32": "1"}, b'{"Item": {}}'
    assert same((400, {}, error), mode=mode)[1] == 3
    assert same((400, {}, error), good, mode=mode)[1] == 2
    assert same((400, {}, refusal), mode=mode)[0][1]["Item"] == {"pk": {"S": "a"}}
    assert same((500, {}, b"{}"), good, mode=mode)[1] == 2
    assert same((503, {}, b"<html>busy</html>"), mode=mode)[1] == 3
    assert same(bad_crc, good, mode=mode)[1] == 2
    same(bad_crc, mode=mode)
    same(ok(b'{"Item": {"pk"'), mode=mode)
    same((200, {"x-amz-crc32": "1"}, b'{"Item": {"pk"'), good, mode=mode)
    same((400, {}, b""), mode=mode)


def test_the_handler_steps_aside() -> None:
    def decoded(status: int = 200, protocol: str = "json") -> dict[str, Any]:
        response = {"status_code": status, "body": b'{"Count": 1}'}
        result: dict[str, Any] = {}
        model = SimpleNamespace(
            service_model=SimpleNamespace(resolved_protocol=protocol),
            output_shape=SimpleNamespace(members=["Items", "Count"]),
        )
        fast._decode(model, response, result)
        assert response["body"] == (b"" if result else b'{"Count": 1}')
        return result

    assert decoded() == {"Count": 1}
    assert decoded(status=400) == {}
    assert decoded(protocol="smithy-rpc-v2-cbor") == {}


def test_a_client_is_hooked_once_however_often() -> None:
    service = Service(ok(b'{"Item": {}}'))
    client = service.client(hook=True)
    fast.decode_fast(client)
    calls = python_calls(lambda: client.get_item(TableName="t", Key={}), fast._decode)
    assert calls[1] == 1
    stranger: Any = SimpleNamespace(get_item=None)
    fast.decode_fast(stranger)


def test_stubbed_responses_are_left_alone() -> None:
    client = Service().client(hook=True)
    with Stubber(client) as stubber:
        stubber.add_response("get_item", {"Item": {"pk": {"S": "a"}}})
        assert client.get_item(TableName="t", Key={})["Item"] == {"pk": {"S": "a"}}


def python_calls(call: Callable[[], Any], of: Any) -> tuple[int, int]:
    """How many Python functions a call runs, and how often `of`."""
    counts = [0, 0]

    def count(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            counts[0] += 1
            counts[1] += frame.f_code is of.__code__

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return counts[0], counts[1]


def test_a_page_of_a_hundred_items_takes_few_steps() -> None:
    items = [
        {f"a{n}": {"S": "some text of thirty characters"} for n in range(12)}
        for _ in range(100)
    ]
    body = json.dumps({"Items": items, "Count": 100, "ScannedCount": 100}).encode()
    service = Service(ok(body))
    taken = {}
    for hook in (True, False):
        client = service.client(hook=hook)
        client.query(TableName="t")
        taken[hook], _ = python_calls(partial(client.query, TableName="t"), same)
    assert taken[True] <= 4000
    assert taken[False] > 2 * taken[True]


# --- clients of our own ---------------------------------------------------------------------------


def test_a_client_of_our_own_checks_nothing_twice() -> None:
    session = boto3.Session("a", "b", region_name="eu-west-1")
    client: Any = connect(session, endpoint_url="http://localhost:1")
    config = client.meta.config
    assert client.meta.endpoint_url == "http://localhost:1"
    assert config.max_pool_connections == 50
    assert config.retries["mode"] == "standard"
    assert config.retries["total_max_attempts"] == 10
    given = Config(max_pool_connections=7, read_timeout=3)
    client = connect(session, region_name="us-east-1", config=given)
    assert client.meta.region_name == "us-east-1"
    assert client.meta.config.max_pool_connections == 7
    assert client.meta.config.read_timeout == 3
    client.meta.events.register("before-call", lambda **_: (None, {}))
    with pytest.raises(AttributeError):  # a validating client would not come as far
        client.get_item(Key="no key")


@pytest.mark.parametrize(
    ("config", "begins"),
    [(None, "dyngen Botocore/"), (Config(user_agent=None), "Boto3/")],
)
def test_a_client_of_our_own_says_what_it_is(config: Any, begins: str) -> None:
    session = boto3.Session("a", "b", region_name="eu-west-1")
    client: Any = connect(session, config=config)
    sent: list[Any] = []

    def answer(request: Any, **_: object) -> AWSResponse:
        sent.append(request.headers["User-Agent"])
        body = SimpleNamespace(stream=lambda **_: iter([b"{}"]))
        return AWSResponse(request.url, 200, {}, body)

    client.meta.events.register("before-send.dynamodb", answer)
    client.get_item(TableName="t", Key={})
    (found,) = sent
    assert (found.decode() if isinstance(found, bytes) else found).startswith(begins)


def test_an_asynchronous_client_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    body = b'{"Item": {"pk": {"S": "a"}}}'

    class Raw:
        status_code = 200
        raw = SimpleNamespace(raw_headers=[])

        def __init__(self) -> None:
            self.headers: dict[str, str] = {}

        @property
        async def content(self) -> bytes:
            return body

    async def main() -> None:
        given = AioConfig(max_pool_connections=7)
        async with connect_async(region_name="eu-west-1", config=given) as client:
            made: Any = client
            assert made.meta.config.max_pool_connections == 7
            made.meta.events.register("before-send.dynamodb", lambda **_: Raw())
            fast.decode_fast(client)
            found = await client.get_item(TableName="t", Key={})
            assert found["Item"] == {"pk": {"S": "a"}}

    asyncio.run(main())
