import type { StackInfo } from '@carillon/stack'
import type { Answer } from './find-problems.ts'
import type { FuzzRequest } from './request.ts'

/** Sends a request unchanged. Returns the error as a text when there is no answer. */
export async function send(info: StackInfo, { endpoint, path, query, sent, headers }: FuzzRequest): Promise<Answer | string> {
  const all: Record<string, string> = {
    authorization: `Bearer ${info.apiKey}`,
    ...(endpoint.workspace === 'header' && { 'x-workspace-id': info.workspaceId }),
    ...(sent && sent.type !== null && { 'content-type': sent.type }),
    ...headers,
  }
  const url = `${info.baseUrl}${path}${query ? `?${query}` : ''}`
  const hasBody = sent !== null && sent.body !== null && endpoint.method !== 'GET'
  try {
    const init = { method: endpoint.method, headers: all, redirect: 'manual' as const, signal: AbortSignal.timeout(30_000) }
    const response = await fetch(url, { ...init, ...(hasBody && { body: sent.body }) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return `${String(error)} ${cause?.code ?? ''}`
  }
}
