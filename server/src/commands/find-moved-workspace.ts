import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { isId } from '../infra/db/ids.ts'
import type { MovedWorkspace } from '../infra/http/http-hooks.ts'
import { readBearerKey } from '../infra/http/read-bearer-key.ts'
import { isWellFormedKey, keyHash } from '../features/api-keys/api-key.ts'
import { tokenHash } from '../features/invitations/invitation-token.ts'
import { findMove, findMoveOfSecret, type MoveState } from '../infra/cell/leaving-workspace.store.ts'

/** Where the workspace of a request is, if it is not in this cell: the workspace that it names, or else that of its key or invitation. */
export async function findMovedWorkspace(ctx: Context, request: FastifyRequest): Promise<MovedWorkspace | null> {
  const named = namedWorkspace(request)
  const move = named === null ? await findBySecret(ctx, request) : await findById(ctx, named)
  if (!move) return null
  if (move.state === 'moved') return { cell: move.cell, id: named }
  return ['closing', 'parked', 'arriving'].includes(move.state) ? { cell: null, id: named } : null
}

function namedWorkspace({ headers, url }: FastifyRequest): string | null {
  const named = /^\/api\/workspaces\/([0-9a-f]{24})(?:[/?]|$)/.exec(url)?.[1] ?? headers['x-workspace-id']
  return typeof named === 'string' ? named : null
}

async function findById(ctx: Context, workspaceId: string): Promise<MoveState | undefined> {
  return isId(workspaceId) ? findMove(ctx.db.system, workspaceId) : undefined
}

async function findBySecret(ctx: Context, { headers, url }: FastifyRequest): Promise<MoveState | undefined> {
  const hash = secretHashOf(url, headers.authorization)
  return hash ? findMoveOfSecret(ctx.db.system, hash) : undefined
}

function secretHashOf(url: string, authorization: string | undefined): Buffer | null {
  const token = url.startsWith('/invitations/accept?') ? new URLSearchParams(url.slice(url.indexOf('?'))).get('token') : null
  if (token !== null) return tokenHash(token)
  const key = readBearerKey(authorization)
  return key !== null && isWellFormedKey(key) ? keyHash(key) : null
}
