import { json, Refusal, type Reply } from '../../http/reply.ts'

/** A number and a sentence (v5/openapi.json, Pinterest.Lib.Error). The numbers are those that others have seen. */
const known: Record<number, [code: number, message: string]> = {
  401: [2, 'Authentication failed.'],
  403: [3, 'Authorization failed.'],
  404: [12, 'Resource not found.'],
  429: [8, 'You have exceeded your rate limit. Try again later.'],
}

export function failure(status: number, code?: number, message?: string): Reply {
  const [usual, said] = known[status] ?? [12, 'Something went wrong on our end. Sorry about that.']
  return json(status, { code: code ?? usual, message: message ?? said })
}

export function refusal(status: number, code?: number, message?: string): Refusal {
  return new Refusal(failure(status, code, message))
}

export const invalid = (field: string, rule: string) =>
  refusal(400, 1, `Invalid request: ${field} does not satisfy the constraint: ${rule}`)
export const noBoard = () => refusal(404, 40, 'Board not found.')
export const noPin = () => refusal(404, 50, 'Pin not found.')
