import type { Credentials } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { open, seal } from '../../infra/sealing/seal.ts'

type Row = { workspaceId: string; id: string }

const place = ({ workspaceId, id }: Row) => ({ workspaceId, rowId: id, column: 'credentials' })

export function sealCredentials(ctx: Context, row: Row, credentials: Credentials): Buffer {
  return seal(ctx.config.secretKeys, place(row), JSON.stringify(credentials))
}

export function openCredentials(ctx: Context, row: Row, sealed: Buffer): Credentials {
  return JSON.parse(open(ctx.config.secretKeys, place(row), sealed))
}
