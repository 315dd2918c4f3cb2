/*===----------------------------------------------------------------------===*\
|* What is between values is skipped like blanks: colons and commas.
\*===----------------------------------------------------------------------===*/

#include "json.h"

#include <stdlib.h>
#include <string.h>

static char skip(char **at) {
  *at += strspn(*at, " \r\n\t,:");
  return **at;
}

json *parse_json(char **at) {
  json *value = calloc(1, sizeof(json)), **end = &value->child;
  value->kind = skip(at);
  value->text = *at;
  if (value->kind == '{' || value->kind == '[') {
    ++*at;
    for (char next; (next = skip(at)) != '}' && next != ']';) {
      char *key = value->kind == '{' ? parse_json(at)->text : NULL;
      *end = parse_json(at);
      (*end)->key = key;
      end = &(*end)->next;
    }
    ++*at;
  } else if (value->kind == '"') {
    char *to = ++value->text;
    for (++*at; **at != '"'; ++*at)
      *to++ = **at == '\\' ? *++*at : **at;
    ++*at;
    *to = '\0';
  } else {
    *at += strcspn(*at, " \r\n\t,]}");
  }
  return value;
}

json *find_entry(const json *object, const char *key) {
  json *entry = object->child;
  while (entry && strcmp(entry->key, key) != 0)
    entry = entry->next;
  return entry;
}

json *find_list(const json *object, const char *key) {
  json *list = find_entry(object, key);
  return list ? list->child : NULL;
}
