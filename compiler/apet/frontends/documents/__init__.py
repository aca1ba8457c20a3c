"""Files of keys and values, TOML or JSON, whose mistakes are shown at their place."""

from apet.frontends.documents.document import Document, parse_document, read_document

__all__ = ["Document", "parse_document", "read_document"]
