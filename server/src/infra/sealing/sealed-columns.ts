/** A column with sealed values. `key` are the columns that name a row; the other two are SQL for the place that the value is bound to. */
export type SealedColumn = {
  table: string
  column: string
  key: readonly string[]
  workspaceId: string
  rowId: string
  /** The name in the place. */
  name: string
}

/**
 * Columns with sealed values that live for long, across all workspaces. Answers to repeated requests and half-done sign-ins are left out: they
 * expire within a day, and a retired key should not have to stay for them.
 */
export const sealedColumns: readonly SealedColumn[] = [
  sealed('connection', 'credentials_sealed', 'credentials'),
  sealed('webhook', 'secret_sealed', 'secret'),
  sealed('webhook', 'previous_secret_sealed', 'previous_secret'),
  sealed('webhook', 'address_sealed', 'address'),
  sealedOfPerson('account_webhook', 'secret_sealed', 'secret'),
  sealedOfPerson('account_webhook', 'previous_secret_sealed', 'previous_secret'),
  sealed('connect_link', 'return_secret_sealed', 'return_secret'),
  sealed('client_report', 'token_sealed', 'token'),
  {
    table: 'instance_app',
    column: 'client_secret_sealed',
    key: ['platform', 'instance_url', 'redirect_url'],
    workspaceId: `''`,
    rowId: `platform || ' ' || instance_url`,
    name: 'client_secret',
  },
  {
    table: 'platform_app',
    column: 'client_secret_sealed',
    key: ['platform', 'client_id'],
    workspaceId: `''`,
    rowId: `platform || ' ' || client_id`,
    name: 'client_secret',
  },
  {
    table: 'workspace_app',
    column: 'client_secret_sealed',
    key: ['workspace_id', 'platform', 'client_id'],
    workspaceId: 'workspace_id',
    rowId: `platform || ' ' || client_id`,
    name: 'client_secret',
  },
  { table: 'outgoing_mail', column: 'letter_sealed', key: ['id'], workspaceId: `''`, rowId: 'id', name: 'letter' },
]

function sealed(table: string, column: string, name: string): SealedColumn {
  return { table, column, key: ['workspace_id', 'id'], workspaceId: 'workspace_id', rowId: 'id', name }
}

function sealedOfPerson(table: string, column: string, name: string): SealedColumn {
  return { table, column, key: ['id'], workspaceId: `''`, rowId: 'id', name }
}

/** Answers that are kept for repeated requests. They expire within a day, but a workspace that moves takes them along. */
export const sealedAnswers: SealedColumn = {
  table: 'idempotency',
  column: 'body_sealed',
  key: ['workspace_id', 'caller', 'route', 'key'],
  workspaceId: 'workspace_id',
  rowId: `caller || ' ' || route || ' ' || key`,
  name: 'idempotency',
}

/** SQL for the id of the key: a sealed value begins with the length of its key id and the key id. */
export function keyIdOf(column: string): string {
  return `convert_from(substring(${column} from 2 for get_byte(${column}, 0)), 'UTF8')`
}
