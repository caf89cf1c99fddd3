from mongoengine.document import Document

def _get_documents_by_db(
    connection_alias: str, default_connection_alias: str
) -> list[type[Document]]: ...
