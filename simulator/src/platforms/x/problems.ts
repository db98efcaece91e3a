import { json, refuse, type Refusal, type Reply } from '../../http/reply.ts'

const titles: Record<number, string> = {
  400: 'Invalid Request',
  401: 'Unauthorized',
  402: 'CreditsDepleted',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

export function problem(status: number, detail?: string): Reply {
  const title = titles[status] ?? 'Error'
  return json(status, { title, type: 'about:blank', status, detail: detail ?? title })
}

export function forbid(detail: string): Refusal {
  return refuse(403, { detail, type: 'about:blank', title: 'Forbidden', status: 403 })
}

export function invalidRequest(message: string, parameters: Record<string, string[]> = {}): Refusal {
  return refuse(400, {
    errors: [{ parameters, message }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.x.com/2/problems/invalid-request',
  })
}

export function notFound(name: string, value: string) {
  return {
    value,
    detail: `Could not find tweet with ${name}: [${value}].`,
    title: 'Not Found Error',
    resource_type: 'tweet',
    parameter: name,
    resource_id: value,
    type: 'https://api.x.com/2/problems/resource-not-found',
  }
}
