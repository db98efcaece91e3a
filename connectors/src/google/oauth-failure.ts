import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'

/** Errors of the token endpoint have another format than those of the API. */
export const OAuthFailure = Type.Object({ error: Type.String() })

/** Each of them ends a connection. */
export const oauthReasons = {
  invalid_grant: 'reconnect',
  invalid_client: 'app_refused',
  unauthorized_client: 'app_refused',
} as const satisfies Record<string, FailureReason>
