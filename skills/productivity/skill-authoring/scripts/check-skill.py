#!/usr/bin/env python3
"""Checks skill folders before they are used.

    check-skill.py FOLDER...     each a skill folder, or a folder of skills

Reads the simple YAML that frontmatter should be: `key: value`, one level of
nesting by indentation, lists in [brackets] or as dashes. Exit 1 on a problem.
"""
import pathlib
import re
import sys

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SECTIONS = ("When to use", "Procedure", "Pitfalls", "Verification")
PLATFORMS = {"macos", "linux", "windows"}
FOLDERS = {"references", "scripts", "templates", "assets", "examples"}
MENTION = re.compile(r"\b(?:references|scripts|templates|assets|examples)/[\w.-]+")
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
LONGEST_NAME, LONGEST_DESCRIPTION, MOST_LINES = 64, 60, 300


def frontmatter(text):
    """The flat keys of the frontmatter as text, dotted where nested; None when there is none."""
    found = re.match(r"---\n(.*?)\n---\n", text, re.S)
    if not found:
        return None
    values, path = {}, []
    for line in found.group(1).splitlines():
        row = re.match(r"( *)([\w-]+):\s*(.*)", line)
        if row:
            depth = len(row.group(1))
            path = [(level, key) for level, key in path if level < depth] + [(depth, row.group(2))]
            values[".".join(key for _, key in path)] = unquoted(row.group(3))
        elif line.strip().startswith("- ") and path:
            key = ".".join(key for _, key in path)
            values[key] = f"{values[key]},{line.strip()[2:]}".strip(",")
    return values


def unquoted(value):
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def listed(value):
    return [part.strip(" \"'") for part in value.strip("[]").split(",") if part.strip()]


def head_problems(head, folder):
    name, description = head.get("name", ""), head.get("description", "")
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        yield f"name {name!r}: lowercase words joined by hyphens, at most {LONGEST_NAME} characters"
    if name != folder.name:
        yield f"name {name!r} is not the folder's name {folder.name!r}"
    if not 1 <= len(description) <= LONGEST_DESCRIPTION:
        yield f"description has {len(description)} characters; 1 to {LONGEST_DESCRIPTION}"
    if unknown := set(listed(head.get("platforms", ""))) - PLATFORMS:
        yield f"platforms {sorted(unknown)} are unknown; {sorted(PLATFORMS)}"


def body_problems(text):
    if re.search(r"^description: *(?![\"']).*(: | #)", text, re.M):
        yield "description holds ': ' or ' #', which YAML reads as something else; put it in quotes or reword it"
    missing = [title for title in SECTIONS if not re.search(rf"^## {title}", text, re.M | re.I)]
    if missing:
        yield f"no section {missing}"
    if (lines := len(text.splitlines())) > MOST_LINES:
        yield f"{lines} lines; move detail to references/"
    if INVISIBLE.search(text):
        yield "invisible or direction-changing characters; a scanner rejects them"


def file_problems(text, folder):
    named = set(MENTION.findall(text))
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {"SKILL.md"}
    for path in sorted(named - there):
        yield f"names {path}, which is not there"
    for path in sorted(there - named):
        yield f"{path} is there, but SKILL.md does not name it, so nobody will open it"
    for path in sorted(there):
        if path.split("/")[0] not in FOLDERS:
            yield f"{path} is outside {sorted(FOLDERS)}"


def problems_of(file):
    text, folder = file.read_text(encoding="utf-8"), file.parent
    head = frontmatter(text)
    if head is None:
        return ["no frontmatter between two lines of ---"]
    related = listed(head.get("metadata.hermes.related_skills", ""))
    return [*head_problems(head, folder), *body_problems(text), *file_problems(text, folder), *related_problems(related, folder)]


def related_problems(related, folder):
    """Only judged when the skill lies among others: <skills>/<category>/<skill>."""
    names = {path.parent.name for path in folder.resolve().parent.parent.glob("*/*/SKILL.md")}
    if len(names) > 1:
        yield from (f"related skill {name!r} is not among its neighbours" for name in related if name not in names)


def main():
    files = [file for root in map(pathlib.Path, sys.argv[1:]) for file in sorted(root.rglob("SKILL.md"))]
    if not files:
        sys.exit("check-skill: no SKILL.md found; name a skill folder")
    wrong, seen = 0, {}
    for file in files:
        found = problems_of(file)
        if (twin := seen.setdefault(file.parent.name, file)) != file:
            found.append(f"the same name as {twin}")
        wrong += bool(found)
        print(f"{file}: " + ("fine" if not found else "".join(f"\n  - {problem}" for problem in found)))
    sys.exit(1 if wrong else 0)


main()
