import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faults, startWireServer, type Fault, type Reply } from '../../src/testing/wire-server/index.ts';
import { framesOf, parsed, post, wires, type Patience, type Seen, type Wire } from './raw-http.ts';

const TEXT = 'A sentence of some length, so that there is a middle.';

async function seen(wire: Wire, reply: Reply, stream: boolean): Promise<Seen> {
  await using server = await startWireServer({ replies: [reply] });
  return await post(server.url + wire.path, { ...wire.question, stream }, patience[reply.fault?.type ?? '']);
}

/** Only where silence is expected is it waited for. */
const patience: Readonly<Record<string, Patience>> = { stall: { idleMs: 100 }, stall_before_headers: { headersMs: 100 } };

const streamed = (wire: Wire, fault: Fault, text = TEXT): Promise<Seen> => seen(wire, { text, fault }, true);

for (const wire of wires) {
  describe(`faults on ${wire.protocol}`, () => {
    it('stalls before the headers', async () => {
      assert.deepEqual(await streamed(wire, faults.stallBeforeHeaders()), { status: null, headers: {}, text: '', ending: 'stalled' });
    });

    for (const bytes of [0, 1, 100]) {
      it(`stalls after ${bytes} bytes, headers sent`, async () => {
        const { status, text, ending } = await streamed(wire, faults.stall(bytes));
        assert.deepEqual([status, Buffer.byteLength(text), ending], [200, bytes, 'stalled']);
      });

      it(`cuts the connection after ${bytes} bytes`, async () => {
        const { status, text, ending } = await streamed(wire, faults.cut(bytes));
        assert.deepEqual([status, Buffer.byteLength(text), ending], [200, bytes, 'cut']);
      });
    }

    it('cuts and stalls at the very end when the body is shorter', async () => {
      const whole = await seen(wire, { text: TEXT }, true);
      for (const fault of [faults.cut(1e6), faults.stall(1e6)]) {
        const { text, ending } = await streamed(wire, fault);
        assert.deepEqual([framesOf(text).length, ending], [framesOf(whole.text).length, fault.type === 'cut' ? 'cut' : 'stalled']);
      }
    });

    it('cuts a plain JSON body too', async () => {
      const { text, ending } = await seen(wire, { text: TEXT, fault: faults.cut(20) }, false);
      assert.deepEqual([text.length, ending], [20, 'cut']);
    });

    it('has one malformed frame in the middle and goes on', async () => {
      const { text, ending } = await streamed(wire, faults.malformedFrame());
      const broken = framesOf(text).map((frame) => typeof frame.data === 'string' && frame.data !== '[DONE]');
      assert.equal(ending, 'complete');
      assert.equal(broken.filter(Boolean).length, 1);
      assert.ok(broken.indexOf(true) > 0 && broken.indexOf(true) < broken.length - 1);
    });

    it('has half a JSON body for a malformed frame without a stream', async () => {
      const { text, ending } = await seen(wire, { text: TEXT, fault: faults.malformedFrame() }, false);
      assert.deepEqual([typeof parsed(text), ending], ['string', 'complete']);
    });

    it('breaks off with the error frame of the wire', async () => {
      const { text, headers, ending } = await streamed(wire, faults.errorFrame());
      const frames = framesOf(text);
      const last = errorFrames[wire.protocol];
      assert.deepEqual([headers['content-type'], ending], ['text/event-stream; charset=utf-8', 'complete']);
      assert.partialDeepStrictEqual(frames.slice(-last.length), last);
      assert.ok(frames.length > last.length && !text.includes(TEXT));
    });

    it('answers an error frame without a stream by its status', async () => {
      const { status } = await seen(wire, { fault: faults.errorFrame(faults.rateLimited()) }, false);
      assert.equal(status, 429);
    });

    it('refuses to stream, and only to stream', async () => {
      const refused = await streamed(wire, faults.streamUnsupported());
      assert.equal(refused.status, 400);
      assert.match(refused.text, /stream not supported/u);
      const { status, text } = await seen(wire, { text: TEXT, fault: faults.streamUnsupported() }, false);
      assert.deepEqual([status, text.includes(TEXT)], [200, true]);
    });

    it('says when to try again', async () => {
      const { status, headers } = await streamed(wire, faults.rateLimited(7));
      assert.deepEqual([status, headers['retry-after']], [429, '7']);
    });

    it('sends a scripted status verbatim', async () => {
      const page = faults.status(502, { headers: { 'content-type': 'text/html', via: 'proxy' }, body: '<h1>Bad gateway</h1>' });
      const { status, headers, text } = await streamed(wire, page);
      assert.deepEqual([status, headers['content-type'], headers.via, text], [502, 'text/html', 'proxy', '<h1>Bad gateway</h1>']);
    });

    it('puts a scripted message into the error shape of the wire', async () => {
      const { text } = await streamed(wire, faults.status(403, { message: 'Not here.' }));
      assert.partialDeepStrictEqual(parsed(text), { error: { message: 'Not here.' } });
    });

    it('answers nothing at all in a well-formed stream', async () => {
      const { text, ending } = await streamed(wire, faults.empty());
      assert.equal(ending, 'complete');
      assert.deepEqual(spoken(text), []);
    });

    for (const fault of [faults.badArguments(), faults.unknownTool('no_such_tool'), faults.length()]) {
      it(`${fault.type} stands on its own, and on a reply`, async () => {
        const alone = await seen(wire, { fault }, true);
        assert.match(alone.text, alonePatterns[fault.type]);
        const calls = [{ name: 'look', arguments: { path: 'deep/er' } }];
        const { text } = await seen(wire, { calls, fault, chunk: 100 }, true);
        assert.match(text, onReplyPatterns[fault.type]);
      });
    }
  });
}

const overloaded = { code: 'server_is_overloaded', message: 'Our servers are currently overloaded. Please try again later.' };
const errorFrames = {
  'openai-chat': [{ event: null, data: { error: { ...overloaded, type: 'service_unavailable_error', param: null } } }],
  'anthropic-messages': [{ event: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } }],
  'openai-responses': [
    { event: 'error', data: { type: 'error', error: overloaded } },
    { event: 'response.failed', data: { type: 'response.failed', response: { status: 'failed', error: overloaded } } },
  ],
};

const alonePatterns = { bad_arguments: /"look"/u, unknown_tool: /"no_such_tool"/u, length: /"(?:length|max_tokens|max_output_tokens)"/u };
const onReplyPatterns = {
  bad_arguments: /"\{\\"path\\":\\""/u, // the first half of the JSON, as one delta
  unknown_tool: /"no_such_tool"/u,
  length: /"(?:length|max_tokens|max_output_tokens)"/u,
};

/** The deltas of any wire that carry something a reader could show. */
function spoken(text: string): readonly (string | null)[] {
  const silent = new Set([
    'ping',
    'message_start',
    'message_delta',
    'message_stop',
    'response.created',
    'response.in_progress',
    'response.completed',
  ]);
  return framesOf(text)
    .filter(({ event, data }) => (event === null ? /"content":"[^"]|tool_calls"/u.test(JSON.stringify(data)) : !silent.has(event)))
    .map(({ event }) => event);
}
