/** Why no headers could be given. `foreign_host`: the key exists but belongs to another host. */
export class AuthError extends Error {
  readonly code: 'missing' | 'foreign_host';

  constructor(code: AuthError['code'], message: string) {
    super(message);
    this.name = 'AuthError';
    this.code = code;
  }
}
