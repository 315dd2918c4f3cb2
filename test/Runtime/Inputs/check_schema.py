"""Holds manifests against lib/Runtime/manifest.schema.json: check_schema.py SCHEMA accepts|refuses MANIFEST..."""

import json
import sys

import jsonschema

schema, verb, *manifests = sys.argv[1:]
with open(schema) as file:
    validator = jsonschema.Draft202012Validator(json.load(file))
validator.check_schema(validator.schema)
for path in manifests:
    with open(path) as file:
        complaints = [error.message for error in validator.iter_errors(json.load(file))]
    if bool(complaints) == (verb == "accepts"):
        sys.exit(f"{path}: {complaints or 'no complaint'}")
