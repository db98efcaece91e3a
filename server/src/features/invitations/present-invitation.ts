import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type Invitation, type Role, workspaces } from '@carillon/contract'
import { roleAllows, scopesAllow } from '@carillon/core'
import type { Config } from '../../config.ts'
import { cellQuery } from '../../infra/db/sql-parts.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { SecretKeys } from '../../infra/sealing/seal.ts'
import type { InvitationRow } from './invitation.store.ts'

export function presentInvitation(row: InvitationRow, nowMs: number, link: string | null): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: invitationStatus(row, nowMs),
    mail: row.mail,
    link,
    invitedBy: row.invited_by,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}

export function invitationStatus(row: Pick<InvitationRow, 'accepted_at' | 'expires_at'>, nowMs: number): Invitation['status'] {
  if (row.accepted_at !== null) return 'accepted'
  return row.expires_at.getTime() <= nowMs ? 'expired' : 'pending'
}

export function invitationLink(config: Config, token: string): string {
  return `${config.publicUrl}/join?token=${token}${cellQuery(config)}`
}

/**
 * The link, for the inviter to pass on. Only where no mail is sent: opening a mailed link proves that the address is the person's own, and
 * an inviter who knew it could create an account with the address of somebody else. Other members could take a role above their own with
 * it, and a key that only reads must not become a way to join.
 */
export function shownLink({ ctx: { config }, principal, nowMs }: RequestScope, row: InvitationRow): string | null {
  const { personId, limits } = principal
  if (config.mail !== null || row.invited_by !== personId || invitationStatus(row, nowMs) !== 'pending') return null
  if (!scopesAllow(limits.scopes, workspaces.invite.scope)) return null
  const token = findToken(config.secretKeys, { workspaceId: row.workspace_id, id: row.id }, row.token_hash)
  return token === null ? null : invitationLink(config, token)
}

type Key = { workspaceId: string; id: string }

/**
 * The secret in the link of an invitation. It is derived from the first secret key and the id, so that the inviter can be shown the link
 * again although only a hash of it is stored.
 */
export function newToken({ keys, sealing }: SecretKeys, of: Key): string {
  const key = keys.get(sealing)
  if (!key) throw new Error(`there is no secret key ${sealing}`)
  return derive(key, of)
}

/** The token of a stored invitation, or null if it was made with a key that is no longer in the list. */
function findToken({ keys }: SecretKeys, of: Key, hash: Buffer): string | null {
  const tokens = [...keys.values()].map((key) => derive(key, of))
  return tokens.find((token) => timingSafeEqual(tokenHash(token), hash)) ?? null
}

function derive(key: Buffer, { workspaceId, id }: Key): string {
  return Buffer.from(hkdfSync('sha256', key, '', `carillon invitation ${workspaceId} ${id}`, 32)).toString('base64url')
}

/** Stored instead of the token, so that the database does not contain working links. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** May a member with this role invite people, and give them this role? It must hold when the invitation is made and when it is accepted. */
export function canInvite(inviter: Role, role: Role): boolean {
  return roleAllows(inviter, 'admin') && roleAllows(inviter, role)
}
