import { sleep } from './lib.mjs'

/** The 54 endpoints of the interface, by its sections. */
export const ENDPOINTS = {
  4.1: [
    'POST /content/text',
    'POST /content/photos',
    'POST /content/video',
    'POST /content/document',
    'GET /content',
    'GET /content/:id',
    'GET /content/status',
    'PATCH /content/:id',
    'POST /content/:id/publish',
    'POST /content/:id/publish-now',
    'POST /content/:id/retry',
    'PATCH /content/:id/archive',
    'PATCH /content/:id/unarchive',
    'DELETE /content/:id',
    'POST /content/bulk-delete',
    'POST /content/bulk-archive',
    'POST /content/bulk-unarchive',
  ],
  4.2: ['POST /media/upload', 'GET /media', 'GET /media/:id', 'PATCH /media/:id', 'DELETE /media/:id', 'POST /media/bulk-delete'],
  4.3: ['GET /ai/status', 'POST /ai/generate-content', 'POST /ai/suggest-hashtags'],
  4.4: ['GET /analytics', 'GET /analytics/post/:id', 'GET /analytics/platform-metrics', 'POST /analytics/sync'],
  4.5: [
    'GET /workspaces',
    'POST /workspaces',
    'GET /workspaces/:id',
    'PATCH /workspaces/:id',
    'DELETE /workspaces/:id',
    'GET /workspaces/:id/connections',
    'DELETE /workspaces/:id/connections/:id',
    'POST /workspaces/:id/connections/:id/revoke',
    'PATCH /workspaces/:id/connections/:id/pages',
    'GET /workspaces/:id/members',
    'PATCH /workspaces/:id/members/:id',
    'DELETE /workspaces/:id/members/:id',
    'POST /workspaces/:id/invitations',
    'GET /workspaces/:id/invitations',
    'DELETE /workspaces/:id/invitations/:id',
    'GET /workspaces/:id/api-keys',
    'POST /workspaces/:id/api-keys',
    'DELETE /workspaces/:id/api-keys/:id',
  ],
  4.6: [
    'POST /webhooks',
    'GET /webhooks',
    'GET /webhooks/:id',
    'PATCH /webhooks/:id',
    'DELETE /webhooks/:id',
    'GET /webhooks/:id/deliveries',
  ],
}

// What a successful POST creates, and the order in which it must be deleted.
const LEFTOVERS = [
  {
    when: /^\/content\/(text|photos|video|document)$/,
    id: (data) => data.draftId ?? data.uploadId ?? data.requestId,
    path: (id) => `/content/${id}`,
    order: 0,
  },
  { when: /^\/webhooks$/, id: (data) => data.id, path: (id) => `/webhooks/${id}`, order: 1 },
  { when: /^\/media\/upload$/, id: (data) => data.id, path: (id) => `/media/${id}`, query: { force: 'true' }, order: 2 },
  { when: /^\/workspaces\/[^/]+\/(api-keys|invitations)$/, id: (data) => data.id, path: (id, from) => `${from}/${id}`, order: 3 },
  { when: /^\/workspaces$/, id: (data) => data.id, path: (id) => `/workspaces/${id}`, order: 4 },
]

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ACTIONS = ['fix_request', 'reconnect', 'upgrade_plan', 'wait', 'retry', 'check_platform', 'contact_support']

export function createClient(config) {
  const log = [] // every answer, so that rules for all responses are judged on all of them
  const leftovers = new Map()
  const oddities = { envelope: [], error: [], timestamp: [], trace: [], crash: [], rateLimit: [] }
  const counts = { success: 0, error: 0, timestamp: 0 }

  /** With null as `key` or `workspace`, that header is not sent. `raw` sends bytes unchanged. */
  async function api(
    method,
    path,
    { body, form, raw, type, query, headers, key = config.apiKey, workspace = config.workspaceId, quiet = false } = {},
  ) {
    const url = new URL(config.baseUrl + path)
    for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, value)
    const sent = { accept: 'application/json', ...headers }
    if (key !== null) sent.authorization ??= `Bearer ${key}`
    // Under /workspaces the path names the workspace; interface 5.4 sends no header there.
    if (workspace !== null && !path.startsWith('/workspaces')) sent['x-workspace-id'] = workspace
    let payload = form ?? raw
    if (body !== undefined) payload = JSON.stringify(body)
    if (type ?? body !== undefined) sent['content-type'] = type ?? 'application/json'

    let response
    for (let attempt = 0; ; attempt++) {
      try {
        response = await fetch(url, {
          method,
          headers: sent,
          body: payload,
          redirect: 'manual',
          signal: AbortSignal.timeout(40_000),
        })
      } catch (error) {
        // The request is repeated only if the server had closed the kept-alive connection meanwhile.
        if (attempt > 0 || !['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(error.cause?.code))
          throw new Error(`${method} ${path}: ${error.cause?.message ?? error.message}`, { cause: error })
        continue
      }
      const wait = Number(response.headers.get('retry-after'))
      // A rate limit is not a wrong answer: wait for Retry-After, a few times.
      if (response.status !== 429 || attempt === 3 || !(wait <= 10)) break
      await response.arrayBuffer()
      await sleep((wait || 1) * 1000)
    }
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString('utf8')
    let json
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    const result = {
      status: response.status,
      ok: response.ok,
      headers: response.headers,
      text,
      bytes,
      body: json,
      data: json?.data,
      error: json?.error,
      where: `${method} ${path}`,
    }
    log.push({ method, path, status: result.status, keyed: key !== null, code: json?.error?.code })
    if (!quiet) observe(result)
    if (result.ok) remember(method, path, result.data, { key, workspace })
    return result
  }

  function observe({ status, ok, headers, text, body, where }) {
    const note = (list, problem) => list.push(`${where} ${status}: ${problem}`)
    if (status >= 500 && status !== 503) note(oddities.crash, text.slice(0, 120))
    if (!headers.get('x-request-id')) note(oddities.trace, 'no X-Request-Id')
    for (const name of ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      if (status !== 401 && !headers.has(name)) note(oddities.rateLimit, `no ${name}`)
    }
    if (ok) {
      counts.success++
      if (status === 204 && text === '') return
      if (body?.success !== true || !('data' in body)) note(oddities.envelope, text.slice(0, 120))
      else
        stamps(body.data, (path, value) => {
          counts.timestamp++
          if (!TIMESTAMP.test(value)) note(oddities.timestamp, `${path} ${value}`)
        })
      return
    }
    counts.error++
    const error = body?.error ?? {}
    if (body?.success !== false) note(oddities.error, `success is not false: ${text.slice(0, 120)}`)
    if (!/^[a-z][a-z0-9_]*$/.test(error.code ?? '')) note(oddities.error, `code ${error.code}`)
    if (typeof error.message !== 'string' || !error.message) note(oddities.error, 'no message')
    if (!ACTIONS.includes(error.action)) note(oddities.error, `action ${error.action}`)
    if (typeof error.retryable !== 'boolean') note(oddities.error, `retryable ${error.retryable}`)
    if (typeof error.docUrl !== 'string') note(oddities.error, `docUrl ${error.docUrl}`)
    if (!error.traceId || error.traceId !== headers.get('x-request-id'))
      note(oddities.trace, `traceId ${error.traceId}, X-Request-Id ${headers.get('x-request-id')}`)
    const details = error.details ?? []
    if (
      !Array.isArray(details) ||
      details.some((detail) => typeof detail?.path !== 'string' || typeof detail?.message !== 'string')
    )
      note(oddities.error, 'details are not [{path, message}]')
  }

  function stamps(value, visit, path = '') {
    if (value === null || typeof value !== 'object') return
    for (const [name, inner] of Object.entries(value)) {
      if (/(At|^timestamp)$/.test(name) && typeof inner === 'string') visit(`${path}.${name}`, inner)
      else stamps(inner, visit, `${path}.${name}`)
    }
  }

  function remember(method, path, data, credentials) {
    if (method === 'DELETE') leftovers.delete(path)
    if (method !== 'POST' || !data) return
    const kind = LEFTOVERS.find(({ when }) => when.test(path))
    const id = kind?.id(data)
    if (id) leftovers.set(kind.path(id, path), { ...kind, ...credentials })
  }

  async function cleanUp() {
    const stuck = []
    const remove = async (path, { query, key, workspace }) => {
      const response = await api('DELETE', path, { query, key, workspace, quiet: true }).catch((error) => ({
        where: path,
        status: String(error),
      }))
      if (!response.ok && response.status !== 404) stuck.push(`${response.where} ${response.status}`)
    }
    const sorted = [...leftovers].toSorted(([, a], [, b]) => a.order - b.order)
    for (const order of new Set(sorted.map(([, entry]) => entry.order))) {
      const batch = sorted.filter(([, entry]) => entry.order === order)
      while (batch.length) await Promise.all(batch.splice(0, 5).map(([path, entry]) => remove(path, entry)))
    }
    return stuck
  }

  /** The answers to requests of a route with a key, which prove that the route exists. */
  function seen(endpoint) {
    const [method, template] = endpoint.split(' ')
    const regex = new RegExp(`^${template.replaceAll(':id', '[^/]+')}$`)
    const fixed = new Set(
      Object.values(ENDPOINTS)
        .flat()
        .filter((other) => !other.includes(':') && other.startsWith(`${method} `))
        .map((other) => other.split(' ')[1]),
    )
    return log.filter(
      (entry) =>
        entry.keyed && entry.method === method && regex.test(entry.path) && (template === entry.path || !fixed.has(entry.path)),
    )
  }

  return { api, log, seen, leftovers, oddities, counts, cleanUp }
}
