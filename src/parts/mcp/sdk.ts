/** A server cannot be reached for a reason its owner can mend. Trying again would end the same way. */
export class McpSetupError extends Error {
  readonly code = 'mcp_setup';
}

/** The official SDK: 120 ms and twenty megabytes, so it comes with the first connection and not a moment earlier. */
export async function loadSdk() {
  const [{ Client }, { deserializeMessage, serializeMessage }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/shared/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { Client, deserializeMessage, serializeMessage, ResultSchema: types.ResultSchema };
}
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** What only servers behind an address need. */
export async function loadHttp() {
  const [{ StreamableHTTPClientTransport }, { SSEClientTransport }, { UnauthorizedError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/sse.js'),
    import('@modelcontextprotocol/sdk/client/auth.js'),
  ]);
  return { StreamableHTTPClientTransport, SSEClientTransport, UnauthorizedError };
}

/** The SDK's own way to start a program, for systems without process groups. */
export const loadPlainStdio = async () => (await import('@modelcontextprotocol/sdk/client/stdio.js')).StdioClientTransport;
