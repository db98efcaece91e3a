import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { open, seal } from '../../infra/sealing/seal.ts'

/** 240 bits: without the four characters that the hint shows, more than 192 bits stay unknown. A multiple of three needs no padding. */
const secretBytes = 30
const hintLength = 4

/** The workspace of a webhook of an account is empty. */
type Row = { workspaceId: string; id: string }
type Column = 'secret' | 'previous_secret'

export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

export function secretHint(secret: string): string {
  return secret.slice(-hintLength)
}

export function sealSecret(ctx: Context, { workspaceId, id }: Row, column: Column, secret: string): Buffer {
  return seal(ctx.config.secretKeys, { workspaceId, rowId: id, column }, secret)
}

export function openSecret(ctx: Context, { workspaceId, id }: Row, column: Column, sealed: Buffer): string {
  return open(ctx.config.secretKeys, { workspaceId, rowId: id, column }, sealed)
}
