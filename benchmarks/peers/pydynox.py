"""pydynox, its blocking methods; its core is compiled."""

from __future__ import annotations

from pydynox import DynamoDBClient, Model, ModelConfig, SyncBatchWriter
from pydynox.attributes import (
    BooleanAttribute,
    DatetimeAttribute,
    DecimalAttribute,
    EnumAttribute,
    NumberAttribute,
    StringAttribute,
)

from benchmarks import canned
from benchmarks.peers import LOOPBACK, REGION, Peer, blocking


class Document(Model):
    """The entity."""

    model_config = ModelConfig(table=canned.TABLE)

    owner_id = StringAttribute(partition_key=True)
    document_id = StringAttribute(sort_key=True)
    title = StringAttribute()
    summary = StringAttribute()
    status = EnumAttribute(canned.Status)
    created_at = DatetimeAttribute()
    folder = StringAttribute()
    size = NumberAttribute()
    price = DecimalAttribute()
    shared = BooleanAttribute()
    revision = NumberAttribute()
    reviewer = StringAttribute()


def peers(url: str) -> list[Peer]:
    """The model's calls."""
    client = DynamoDBClient(
        region=REGION, access_key="benchmark", secret_key="benchmark", endpoint_url=url
    )
    Document.model_config = ModelConfig(table=canned.TABLE, client=client)
    documents = [Document(**document) for document in canned.DOCUMENTS]
    key = {"owner_id": canned.OWNER, "document_id": documents[0].document_id}

    def batch() -> None:
        with SyncBatchWriter(client, canned.TABLE) as writer:
            for document in documents[: canned.BATCH]:
                writer.put(document.to_dict())

    calls = blocking(
        query=lambda: list(Document.sync_query(partition_key=canned.OWNER)),
        get=lambda: Document.sync_get(**key),
        put=lambda: documents[0].sync_save(full_replace=True),
        batch=batch,
    )
    return [Peer("pydynox (compiled core)", LOOPBACK, calls)]
