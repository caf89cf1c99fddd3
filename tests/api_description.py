"""The OpenAPI document with closed shapes, to which tests hold the bodies of answers.

So a member that the document lacks is found too.
"""

import jsonschema_rs
import orjson

MAX_SHOWN = 3  # faults of one answer
NULL = {"type": "null"}
# The service always sets them; tests store documents without them.
STAMPS = {"createdAt", "updatedAt", "version"}


def closed(node):
    """Return a document whose objects have no members but those that it names."""
    if isinstance(node, list):
        return [closed(one) for one in node]
    if not isinstance(node, dict):
        return node
    found = {name: closed(one) for name, one in node.items()}
    if "properties" in found and found.get("type") == "object":
        found.setdefault("additionalProperties", False)
        for name in STAMPS & found["properties"].keys():
            found["properties"][name] = {"anyOf": [found["properties"][name], NULL]}
    return found


def without_required(node):
    """Return a document that requires no members, as for `fields=`."""
    if isinstance(node, list):
        return [without_required(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        name: without_required(one) for name, one in node.items() if name != "required"
    }


class ApiDescription:
    """The `operations` of a document by path and method, and the shapes of their answers."""

    def __init__(self, document):
        components = closed(document["components"])
        self._components = {
            False: {"components": components},
            True: {"components": without_required(components)},
        }
        self.operations = {
            (path, method): closed(operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        self._validators, self._compiled = {}, {}

    def types_of(self, operation, status):
        """Return the media types of an answer, with their shapes.

        Raises `KeyError` for a status that the operation does not have.
        """
        described = operation["responses"][str(status)]
        reference = described.get("$ref")
        if reference is not None:
            name = reference.rpartition("/")[2]
            described = self._components[False]["components"]["responses"][name]
        return described.get("content", {})

    def faults_of_status(self, operation, status):
        """Yield what is wrong with the status of an answer."""
        if str(status) not in operation["responses"]:
            yield f"the status is not among {', '.join(operation['responses'])}"

    def faults_of_body(self, operation, status, body, *, selects):
        """Yield what of a body, as JSON, is not as described; `selects`: with `fields=`."""
        key = operation["operationId"], status, selects
        if key not in self._validators:
            types = self.types_of(operation, status)
            shape = types.get("application/json", {}).get("schema", {})
            shape = without_required(shape) if selects else shape
            self._validators[key] = self._validator_of(shape, selects)
        validator = self._validators[key]
        if not validator.is_valid(body):
            for error in list(validator.iter_errors(body))[:MAX_SHOWN]:
                path = ".".join(map(str, error.instance_path))
                yield f"{path}: {error.message[:300]}"

    def _validator_of(self, shape, selects):
        """Return the validator of a shape, which many answers share."""
        key = orjson.dumps(shape), selects
        if key not in self._compiled:
            # by a reference, so that the shapes of all components are compiled once
            self._compiled[key] = jsonschema_rs.validator_for(
                {**shape, **self._components[selects]}
            )
        return self._compiled[key]
