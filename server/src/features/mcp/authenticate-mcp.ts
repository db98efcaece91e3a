import { callerHasScope } from '@carillon/core'
import { permissions, type Permission } from '@carillon/mcp'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { readBearerKey } from '../../infra/http/authenticate.ts'
import type { Caller } from '../../infra/http/http-hooks.ts'
import { Problem, problem } from '../../infra/problem/problem.ts'

/** Who calls: the token as it was sent, with which the tools call the API, and the workspace that they work in. */
export type McpCaller = { token: string; workspaceId: string; allow: Permission; only: readonly string[] | null }

const upperBounds = { read: 'read', draft: 'draft', on: 'publish' } as const satisfies Record<string, Permission>

/** Recognises the caller by the `Authorization` header. A cookie counts for nothing here: any page could send it. */
export async function authenticateMcp(config: Config, request: FastifyRequest, reply: FastifyReply): Promise<McpCaller> {
  try {
    const token = readBearerKey(request.headers.authorization)
    if (token === null) throw problem('api_key_missing')
    const named = request.headers['x-workspace-id']
    const requestedId = typeof named === 'string' && named !== '' ? named : null
    const caller = await request.server.hooks.findCaller(request, requestedId)
    const workspaceId = requestedId ?? caller.keyWorkspaceId
    if (workspaceId === null) throw problem('workspace_header_missing')
    return { token, workspaceId, allow: permissionOf(config, caller, request), only: wantedTools(request) }
  } catch (error) {
    if (error instanceof Problem && error.status === 401) addChallenge(reply)
    throw error
  }
}

/** Every refusal of an unknown caller has this header. Those who may sign in as a program are told where, by the hook for all requests. */
function addChallenge(reply: FastifyReply): void {
  void reply.header('www-authenticate', 'Bearer')
}

/** The operator's upper bound, what the key may do, and what the client wants: the least of them. */
function permissionOf({ mcp }: Config, caller: Caller, { headers }: FastifyRequest): Permission {
  const bounds: Permission[] = [mcp === 'off' ? 'read' : upperBounds[mcp]]
  if (!callerHasScope(caller, 'content:publish')) bounds.push('draft')
  if (!callerHasScope(caller, 'content:draft') && !callerHasScope(caller, 'media:write')) bounds.push('read')
  const readonly = headers['x-mcp-readonly']
  if (readonly !== undefined && !/^(?:false|0|no|off)$/i.test(String(readonly).trim())) bounds.push('read')
  return permissions[Math.min(...bounds.map((bound) => permissions.indexOf(bound)))] ?? 'read'
}

/** `?tools=get_post,list_posts` leaves the others out. */
function wantedTools({ query }: FastifyRequest): readonly string[] | null {
  const { tools } = query as { tools?: string | string[] }
  if (tools === undefined) return null
  return [tools]
    .flat()
    .flatMap((names) => names.split(','))
    .map((name) => name.trim())
}
