"""Writes one exam transcript: a story told beat by beat, its bulk and its questions. Same seed, same bytes."""

import difflib
import gzip
import io
import json
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Story:
    def __init__(self, half, name, about, seed):
        self.half, self.name, self.about = half, name, about
        self.r = random.Random(seed)
        self.lines, self.questions, self.files = [], [], {}
        self.turn, self.calls, self.steps = 0, 0, 0
        self.texts = []
        self.thoughts = None

    # --- messages -------------------------------------------------------------------------------
    def _put(self, origin, message):
        self.lines.append({"origin": origin, "turn": self.turn, "message": message})
        self.texts.append(searchable(message))

    def user(self, words):
        self.turn += 1
        self._put("user", {"role": "user", "content": [{"type": "text", "text": words, "trust": "owner"}]})

    def steer(self, words):
        self._put("steer", {"role": "user", "content": [{"type": "text", "text": words, "trust": "owner"}]})

    def do(self, words, *calls, think=None):
        """One assistant step; a call is (tool, input, result[, {'failed':…, 'source':…}])."""
        content = []
        if calls and self.thoughts and not think and self.r.random() < 0.1:
            think = self.thoughts.deal()
        if think:
            content.append({"type": "thinking", "text": think, "trust": "model"})
        if words:
            content.append({"type": "text", "text": words, "trust": "model"})
        ids = []
        for call in calls:
            self.calls += 1
            ids.append("call_%04d_%06x" % (self.calls, self.r.getrandbits(24)))
            content.append({"type": "tool_call", "id": ids[-1], "name": call[0], "input": call[1], "trust": "model"})
        self.steps += 1
        self._put("model", {"role": "assistant", "content": content})
        for call, call_id in zip(calls, ids):
            more = call[3] if len(call) > 3 else {}
            block = {"type": "text", "text": call[2], "trust": "tool"}
            if more.get("source"):
                block = {"type": "text", "text": call[2], "trust": "foreign", "source": more["source"]}
            self._put("tool", {"role": "tool", "callId": call_id, "name": call[0], "content": [block], "failed": bool(more.get("failed"))})

    def say(self, words, think=None):
        self.do(words, think=think)

    # --- calls ----------------------------------------------------------------------------------
    def sh(self, command, output, code=0, **more):
        tail = "" if code == 0 else f"\n[exit code {code}]"
        return ("terminal", {"command": command, **more}, (output.rstrip("\n") or "(no output)") + tail, {"failed": code != 0})

    def read(self, path, start=1, count=None):
        rows = self.files[path].split("\n")
        part = rows[start - 1 : None if count is None else start - 1 + count]
        shown = "\n".join(f"{start + i:>5}|{row}" for i, row in enumerate(part))
        ask = {"path": path} if start == 1 and count is None else {"path": path, "offset": start, "limit": len(part)}
        return ("read_file", ask, f"{path} ({len(rows)} lines)\n{shown}")

    def write(self, path, content):
        new = path not in self.files
        self.files[path] = content
        return ("write_file", {"path": path, "content": content}, f"{'Created' if new else 'Overwrote'} {path}: {len(content.encode())} bytes, {content.count(chr(10)) + 1} lines.")

    def patch(self, path, old, new):
        before = self.files[path]
        assert before.count(old) == 1, (path, old, before.count(old))
        self.files[path] = before.replace(old, new)
        diff = "\n".join(difflib.unified_diff(before.split("\n"), self.files[path].split("\n"), "a/" + path, "b/" + path, lineterm="", n=3))
        return ("patch", {"path": path, "old_string": old, "new_string": new}, f"Patched {path}\n{diff}")

    def todo(self, *items):
        rows = [{"id": str(i + 1), "content": text, "status": state} for i, (state, text) in enumerate(items)]
        mark = {"completed": "[x]", "in_progress": "[>]", "pending": "[ ]", "cancelled": "[~]"}
        return ("todo", {"todos": rows}, "\n".join(f"{mark[x['status']]} {x['id']}. {x['content']}" for x in rows))

    def memory(self, words, target="memory"):
        return ("memory", {"action": "add", "target": target, "content": words}, f"Saved to {target}. {self.r.randint(18, 61)} % of the space is in use.")

    # --- questions ------------------------------------------------------------------------------
    def q(self, name, kind, question, *answer, wrong=None):
        """Marks the most recent message that holds the answer."""
        for index in range(len(self.lines) - 1, -1, -1):
            if answer[0] in self.texts[index]:
                break
        else:
            raise SystemExit(f"{self.name}/{name}: {answer[0]!r} is nowhere")
        if len(self.lines) - index > 14:
            raise SystemExit(f"{self.name}/{name}: {answer[0]!r} stands far back")
        row = {"id": name, "kind": kind, "question": question, "answer": list(answer)}
        if wrong:
            row["wrong"] = list(wrong)
        self.questions.append({**row, "line": index})

    def finish(self):
        folder = ROOT / self.half
        folder.mkdir(parents=True, exist_ok=True)
        body = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in self.lines)
        raw = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=9) as out:
            out.write(body.encode())
        (folder / f"{self.name}.jsonl.gz").write_bytes(raw.getvalue())
        tokens = round(sum(len(text) for text in self.texts) / 4)
        card = {"name": self.name, "about": self.about, "tokens": tokens, "turns": self.turn, "questions": self.questions}
        (folder / f"{self.name}.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n")
        self._complain()
        sizes = sorted((len(t) for t in self.texts), reverse=True)
        print(f"{self.half}/{self.name}: {tokens} tokens, {self.turn} turns, {self.steps} steps, {len(self.lines)} lines, {len(self.questions)} questions, gz {len(raw.getvalue())}, largest {sizes[:6]}")

    def _complain(self):
        for row in self.questions:
            for answer in row["answer"]:
                found = [i for i, text in enumerate(self.texts) if answer in text]
                if answer.lower() in row["question"].lower():
                    print(f"  ! {row['id']}: the question holds {answer!r}")
                if not 3 <= len(answer) <= 80:
                    print(f"  ! {row['id']}: length of {answer!r}")
                if len(found) > 3 or not found:
                    print(f"  ~ {row['id']}: {answer!r} stands in {len(found)} lines {found[:9]}")
                if any(i > row["line"] + 60 for i in found):
                    print(f"  ~ {row['id']}: {answer!r} comes again at {[i for i in found if i > row['line'] + 60]}")
            for wrong in row.get("wrong", []):
                if not any(wrong in text for text in self.texts) or any(wrong in a or a in wrong for a in row["answer"]):
                    print(f"  ! {row['id']}: wrong {wrong!r}")
        kinds = {}
        for row in self.questions:
            kinds[row["kind"]] = kinds.get(row["kind"], 0) + 1
        print("  ", kinds, "at", [round(100 * row["line"] / len(self.lines)) for row in self.questions])


def searchable(message):
    """The words of a message as a reader sees them, the arguments of its calls included."""
    parts = []
    for block in message["content"]:
        if block["type"] == "tool_call":
            parts.append(block["name"] + " " + strings(block["input"]))
        else:
            parts.append(block["text"])
    return "\n".join(parts)


def strings(value):
    if isinstance(value, dict):
        return "\n".join(f"{key}: {strings(item)}" for key, item in value.items())
    if isinstance(value, list):
        return "\n".join(strings(item) for item in value)
    return str(value)


def table(head, rows, sep="  "):
    cells = [[str(c) for c in head]] + [[str(c) for c in row] for row in rows]
    wide = [max(len(row[i]) for row in cells) for i in range(len(head))]
    return "\n".join(sep.join(c.rjust(wide[i]) if i and c[:1].isdigit() else c.ljust(wide[i]) for i, c in enumerate(row)).rstrip() for row in cells)


class Deck:
    """Deals a list in shuffled rounds, so that nothing repeats before all was seen."""

    def __init__(self, r, items):
        self.r, self.items, self.hand = r, list(items), []

    def deal(self):
        if not self.hand:
            self.hand = self.items[:]
            self.r.shuffle(self.hand)
        return self.hand.pop()
