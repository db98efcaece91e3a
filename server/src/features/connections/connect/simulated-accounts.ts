import { Connection, endpoint } from '@carillon/contract'
import { Type } from 'typebox'

const closed = { additionalProperties: false }

/** Only for trying Carillon out, so neither documented with the other endpoints for connecting accounts nor in the SDK. */
export const simulatedAccounts = endpoint({
  scope: 'workspaces:write',
  role: 'admin',
  workspace: 'header',
  errors: [],
  id: 'integrations.simulated',
  method: 'POST',
  path: '/integrations/simulated',
  summary: 'Connect an account on every simulated platform',
  body: Type.Object({}, closed),
  returns: Type.Array(Connection),
  ok: 201,
  audit: 'connection.connect',
})
