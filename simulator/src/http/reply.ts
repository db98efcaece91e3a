export type Headers = Record<string, string>

/** `isRefused`: the platform refused with the status of a success. */
export type Reply = { status: number; headers: Headers; body: string | Buffer; isRefused?: boolean }

export function json(status: number, value: unknown, headers?: Headers): Reply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(value) }
}

export function html(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

export function redirect(location: string): Reply {
  return { status: 302, headers: { location }, body: '' }
}

/** Thrown by a handler to end a call with the platform's own error reply. */
export class Refusal extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super(`refused with ${reply.status}`)
    this.reply = reply
  }
}

export function refuse(status: number, value: unknown, headers?: Headers): Refusal {
  return new Refusal(json(status, value, headers))
}
