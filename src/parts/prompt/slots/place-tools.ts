/** Tools that run commands where the session works. */
export const COMMAND_TOOLS: readonly string[] = ['terminal', 'process', 'execute_code'];
/** Tools that touch files there, by path or by command: rules of a folder come with their results. */
export const FILE_TOOLS: readonly string[] = ['read_file', 'write_file', 'patch', 'search_files', ...COMMAND_TOOLS];
