"""What sglang's own parsers make of texts. Reads a list of {parser, text, tools} and writes a list of {calls} or {error}.

The package's first module imports torch, which the parsers do not need: packages are entered without running their `__init__`.
"""
import importlib
import json
import logging
import os
import sys
import types
import warnings

logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore")
ROOT = next(path for path in sys.path if path.endswith("site-packages"))
for name in ["sglang", "sglang.srt", "sglang.srt.entrypoints", "sglang.srt.entrypoints.openai", "sglang.srt.function_call"]:
    package = types.ModuleType(name)
    package.__path__ = [os.path.join(ROOT, *name.split("."))]
    sys.modules[name] = package

DETECTORS = {
    "hermes": ("hermes_detector", "HermesDetector"),
    "qwen": ("qwen25_detector", "Qwen25Detector"),
    "mistral": ("mistral_detector", "MistralDetector"),
    "llama3_json": ("llama32_detector", "Llama32Detector"),
    "qwen3_coder": ("qwen3_coder_detector", "Qwen3CoderDetector"),
    "deepseek_v3": ("deepseekv3_detector", "DeepSeekV3Detector"),
    "deepseek_v3_1": ("deepseekv31_detector", "DeepSeekV31Detector"),
    "kimi_k2": ("kimik2_detector", "KimiK2Detector"),
    "glm45": ("glm4_moe_detector", "Glm4MoeDetector"),
    "glm47": ("glm47_moe_detector", "Glm47MoeDetector"),
}


def parse(parser, text, tools):
    from sglang.srt.entrypoints.openai.protocol import Function, Tool

    module, name = DETECTORS[parser]
    detector = getattr(importlib.import_module(f"sglang.srt.function_call.{module}"), name)()
    known = [Tool(type="function", function=Function(name=one["name"], parameters=one["parameters"])) for one in tools]
    found = detector.detect_and_parse(text, known)
    return {"calls": [{"name": call.name, "arguments": call.parameters} for call in found.calls]}


def answer(row):
    try:
        return parse(row["parser"], row["text"], row["tools"])
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}


with open(sys.argv[1], encoding="utf-8") as rows:
    answers = [answer(row) for row in json.load(rows)]
with open(sys.argv[2], "w", encoding="utf-8") as out:
    json.dump(answers, out)
