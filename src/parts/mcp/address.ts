/** Where a server is asked, and with which headers. */
interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A name or a password stood in the address. */
  readonly named: boolean;
}

/** No request can be made to an address with a name and password in it: they go into a header, unless the owner set that one. */
export function moveCredentialsToHeader(url: string, headers: ServerAddress['headers']): ServerAddress {
  const bare = new URL(url);
  const { username, password } = bare;
  if (username === '' && password === '') return { url, headers, named: false };
  [bare.username, bare.password] = ['', ''];
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  const basic = Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64');
  return { url: bare.href, headers: isSet ? headers : { ...headers, Authorization: `Basic ${basic}` }, named: true };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
