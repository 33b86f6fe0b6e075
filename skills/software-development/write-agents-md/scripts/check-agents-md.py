#!/usr/bin/env python3
"""Finds what an AGENTS.md says that the repository does not bear out.

    check-agents-md.py [FILE]      default: AGENTS.md here

Checks every `code span` and fenced line: paths must exist, `npm run X` (and
pnpm, yarn, bun) must be a script of package.json, `make X` a target of the
Makefile, the first word of a command a program on PATH or a file here.
Exit 1 when something is wrong.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

SPAN = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.S | re.M)
SHELLS = {"", "sh", "bash", "shell", "console", "zsh"}
PATH_LIKE = re.compile(r"[\w.@-]*(/[\w.@-]+)+/?|[\w-]+\.(md|json|ya?ml|toml|ts|tsx|js|mjs|py|go|rs|rb|java|sh|sql|lock|cfg|ini)")
PLACEHOLDER = re.compile(r"[<>{}*$…|\[\]]|\.\.\.|(^|/)(X|NAME|FILE)(/|$)")
BUILT_IN = {"cd", "export", "source", ".", "if", "for", "while", "set", "echo", "test", "["}
LONGEST = 150


def commands(text):
    for language, body in FENCE.findall(text):
        if language in SHELLS:
            yield from (line.lstrip("$ ").strip() for line in body.splitlines() if line.strip() and not line.strip().startswith("#"))
    for span in SPAN.findall(FENCE.sub("", text)):
        if re.match(r"(npm|pnpm|yarn|bun|make|cargo|go|python3?|pytest|uv|node|docker|just)\s", span):
            yield span


def paths(text):
    for span in SPAN.findall(FENCE.sub("", text)):
        if PATH_LIKE.fullmatch(span) and not PLACEHOLDER.search(span) and not span.startswith(("/", "@", "http")):
            yield span.rstrip("/")


def tracked(root):
    done = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True)
    return "\n".join("/" + line for line in done.stdout.splitlines()) + "\n"


def is_there(path, root, files):
    """A path counts from the file's folder, or as the end of a tracked path when the text has named its folder before."""
    return (root / path).exists() or f"/{path}\n" in files or f"/{path}/" in files


def npm_problem(words, root):
    match words:
        case [("npm" | "pnpm" | "yarn" | "bun") as tool, "run", name, *_]:
            pass
        case [("npm" | "pnpm" | "yarn") as tool, "test", *_]:
            name = "test"
        case _:
            return None
    file = root / "package.json"
    if not file.exists():
        return f"{tool} is used but there is no package.json"
    scripts = json.loads(file.read_text()).get("scripts", {})
    return None if name in scripts else f"package.json has no script {name!r}; there are {sorted(scripts)}"


def make_problem(words, root):
    if words[0] != "make" or len(words) < 2 or words[1].startswith("-"):
        return None
    file = next((root / name for name in ("Makefile", "makefile", "GNUmakefile") if (root / name).exists()), None)
    if file is None:
        return "make is used but there is no Makefile"
    found = re.search(rf"^{re.escape(words[1])}\s*:", file.read_text(), re.M)
    return None if found else f"the Makefile has no target {words[1]!r}"


def program_problem(words, root):
    first = words[0]
    if first in BUILT_IN or shutil.which(first) or (root / first).exists():
        return None
    return f"{first!r} is not on PATH here and no file of the repository (fine if a fresh clone installs it)"


def command_problems(text, root):
    for command in commands(text):
        words = [word for word in command.split() if not re.fullmatch(r"[A-Z_][A-Z0-9_]*=\S*", word)]
        if not words or PLACEHOLDER.search(words[0]):
            continue
        for check in (npm_problem, make_problem, program_problem):
            if problem := check(words, root):
                yield f"`{command}`: {problem}"


def main():
    file = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "AGENTS.md")
    if not file.is_file():
        sys.exit(f"check-agents-md: {file} is not a file")
    text, root = file.read_text(encoding="utf-8"), file.resolve().parent
    files = tracked(root)
    problems = [f"`{path}`: no such file or folder" for path in dict.fromkeys(paths(text)) if not is_there(path, root, files)]
    problems += dict.fromkeys(command_problems(text, root))
    length = len(text.splitlines())
    if length > LONGEST:
        problems.append(f"{length} lines; over {LONGEST} the rules that matter drown. Move detail to docs/ and link it")
    print("\n".join(problems) if problems else f"{file}: {length} lines, nothing wrong found")
    sys.exit(1 if problems else 0)


main()
