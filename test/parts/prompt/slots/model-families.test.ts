import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findModelFamily } from '../../../../src/parts/prompt/slots/model-families.ts';
import { words } from './setup.ts';

/** In the last: quantised files (GPTQ), resellers with a family's name, and words that only begin like one. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  openai: words(`
    gpt-4o gpt-4.1-mini gpt-5 gpt-5-codex gpt-5.1-codex-max gpt-5.2 gpt-5.3-codex-spark gpt-6-astra GPT-5.2 openai/gpt-5.2
    openai/gpt-5.2-pro openrouter/openai/gpt-5.2:online azure/gpt-4o openai.gpt-oss-120b-1:0 gpt-oss-120b gpt-oss:20b
    accounts/fireworks/models/gpt-oss-120b @cf/openai/gpt-oss-20b gpt5 gpt_5 gpt-5.2/ codex-mini-latest chatgpt-4o-latest
    openai/chatgpt-4o-latest gpt4all-13b-snoozy biggpt microsoft/DialoGPT-large`),
  google: words(`
    gemini-2.5-pro gemini-3-pro gemini-flash-latest google/gemini-3-pro google/gemini-3.1-flash-lite-preview
    models/gemini-2.5-flash gemini-2.5-pro@001 vertex_ai/gemini-3-pro gemma3:27b gemma-4-31b-it google/gemma-4-26B-A4B-it
    google/gemma-4-31b-it:free hf.co/unsloth/gemma-3-27b-it-GGUF:Q4_K_M codegemma:7b google/diffusiongemma-26b-a4b-it`),
  xai: words(`
    grok-4 grok-4.7 x-ai/grok-4 xai/grok-code-fast-1 grok-build-0.1 Grok4`),
  none: words(`
    claude-opus-4.8 anthropic/claude-sonnet-5 us.anthropic.claude-opus-4-6-v1:0 qwen3-coder qwen/qwen3-max deepseek-chat
    deepseek/deepseek-v4 kimi-k3 zai/glm-5.2 minimax-m3 mistral-large-latest meta-llama/llama-4-maverick o3 openai/o4-mini
    Qwen/Qwen3-32B-GPTQ-Int4 TheBloke/Llama-2-70B-GPTQ nano-gpt/claude-opus-4.8 gpt-router/qwen3-max google/learnlm-2.0
    grokking-7b gptneox-20b codexglue-small geminipro-like-7b x-ai/`),
};

for (const [family, names] of Object.entries(NAMES))
  test(`${names.length} names of family: ${family}`, () => {
    const wrong = names.filter((name) => (findModelFamily(name)?.name ?? 'none') !== family);
    assert.deepEqual(wrong, []);
  });

test('no name at all is of no family', () => {
  for (const name of ['', '/', '//']) assert.equal(findModelFamily(name), undefined, name);
});
