import { CarillonError, type CarillonErrorInit } from '@carillon/sdk'

/** An error of signing in. better-auth answers with codes of its own, in capital letters. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly code: string
  readonly status: number

  constructor({ code, message, status }: { code: string; message: string; status: number }) {
    super(message)
    this.code = code
    this.status = status
  }
}

type Call = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'; body?: unknown; workspaceId?: string; signal?: AbortSignal }

/** Calls a route of the server that is not part of the API: signing in, connecting accounts, accepting an invitation. */
export async function send<Data>(path: string, { method = 'GET', body, workspaceId, signal }: Call = {}): Promise<Data> {
  const response = await attempt(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(workspaceId !== undefined && { 'x-workspace-id': workspaceId }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  const answer = parse(text)
  if (!response.ok || answer === undefined) throw readError(response, answer)
  return dataOf(answer) as Data
}

async function attempt(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new CarillonError({
      code: 'connection_failed',
      message: 'Carillon could not be reached.',
      status: 0,
      action: 'retry',
      retryable: true,
      cause,
    })
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Our own routes wrap their data in an envelope; better-auth does not. */
function dataOf(answer: unknown): unknown {
  return isRecord(answer) && answer['success'] === true && 'data' in answer ? answer['data'] : answer
}

function readError(response: Response, answer: unknown): Error {
  const { status } = response
  if (isRecord(answer) && isRecord(answer['error'])) {
    const error = answer['error'] as Omit<CarillonErrorInit, 'status'>
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    return new CarillonError({ ...error, status, retryAfterSeconds: Number.isNaN(wait) ? null : wait })
  }
  if (isRecord(answer) && typeof answer['code'] === 'string')
    return new AuthError({ code: answer['code'], message: textOf(answer['message']), status })
  return new CarillonError({
    code: 'answer_unreadable',
    message: `The response (HTTP ${status}) does not come from Carillon.`,
    status,
    action: 'retry',
    retryable: true,
    traceId: response.headers.get('x-request-id'),
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
