import type { ChannelErrorCode, ErrorCode, LocalErrorCode } from '@carillon/sdk'

/** What a person can do after an error. Some are links, some are done by the page itself. */
export type NextStep =
  | 'sign_in'
  | 'reload'
  | 'retry'
  | 'home'
  | 'workspaces'
  | 'connections'
  | 'members'
  | 'plan'
  | 'posts'
  | 'media'
  | 'forgot'
  | 'copy'

/** The codes with which signing in is refused: those of better-auth, and those in the address after a failed return from a provider. */
type AuthCode =
  | 'INVALID_EMAIL_OR_PASSWORD'
  | 'INVALID_EMAIL'
  | 'INVALID_PASSWORD'
  | 'EMAIL_NOT_VERIFIED'
  | 'PASSWORD_TOO_SHORT'
  | 'PASSWORD_TOO_LONG'
  | 'PASSWORD_COMMON'
  | 'INVALID_CODE'
  | 'INVALID_BACKUP_CODE'
  | 'ACCOUNT_TEMPORARILY_LOCKED'
  | 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'
  | 'INVALID_TWO_FACTOR_COOKIE'
  | 'SESSION_NOT_FRESH'
  | 'UNAUTHORIZED'
  | 'CHALLENGE_NOT_FOUND'
  | 'AUTHENTICATION_FAILED'
  | 'USER_NOT_VERIFIED'
  | 'PASSKEY_NOT_FOUND'
  | 'TOKEN_EXPIRED'
  | 'INVALID_TOKEN'
  | 'account_not_linked'
  | 'email_not_verified'
  | 'signup_disabled'
  | 'access_denied'
  | 'passkey_cancelled'

export type KnownCode = ErrorCode | ChannelErrorCode | LocalErrorCode | AuthCode

/** Every code that a person can meet. The compiler asks for one that is missing here, and a test for one without words. */
export const nextSteps: Readonly<Record<KnownCode, readonly NextStep[]>> = {
  malformed_json: ['reload'],
  workspace_header_missing: ['reload'],
  bad_request: ['reload'],
  media_type_unsupported: ['reload'],
  scope_missing: ['reload'],
  route_not_found: ['reload', 'home'],
  idempotency_key_reused: ['reload'],
  api_key_missing: ['sign_in'],
  api_key_invalid: ['sign_in'],
  session_ended: ['sign_in'],
  origin_refused: ['copy'],
  address_refused: ['reload'],
  setup_code_wrong: ['retry'],
  confirmation_required: ['sign_in'],
  plan_fixed: ['copy'],
  quota_reached: ['plan'],
  storage_full: ['plan'],
  attempt_not_found: ['connections'],
  draft_changed: ['reload'],
  ai_daily_limit_reached: ['copy'],
  mail_limit_reached: ['retry'],
  role_forbidden: ['members'],
  connection_not_allowed: ['reload'],
  hours_not_allowed: ['reload'],
  key_limit_reached: ['reload'],
  duplicate_refused: ['posts'],
  plan_limit_reached: ['plan'],
  plan_required: ['plan'],
  ai_budget_reached: ['plan'],
  workspace_not_found: ['workspaces'],
  post_not_found: ['posts'],
  channel_not_found: ['reload', 'posts'],
  connection_not_found: ['connections'],
  api_key_not_found: ['reload'],
  webhook_not_found: ['reload'],
  queue_not_found: ['reload'],
  delivery_not_found: ['reload'],
  member_not_found: ['reload'],
  invitation_not_found: ['home'],
  platform_not_found: ['reload'],
  media_not_found: ['media'],
  upload_not_found: ['retry'],
  first_run_over: ['sign_in'],
  sign_up_closed: ['sign_in'],
  not_a_draft: ['reload'],
  queue_full: ['retry'],
  not_scheduled: ['reload'],
  nothing_to_retry: ['reload'],
  not_unconfirmed: ['reload'],
  already_publishing: ['reload'],
  last_owner: ['members'],
  external_id_taken: ['reload'],
  already_member: ['reload'],
  invitation_pending: ['members'],
  invitation_ended: ['home'],
  connect_expired: ['connections'],
  connect_account_differs: ['connections'],
  connect_refused: ['connections'],
  platform_not_configured: ['connections'],
  idempotency_in_flight: ['retry'],
  media_in_use: ['posts'],
  body_too_large: ['retry'],
  media_too_large: ['media'],
  media_type_refused: ['media'],
  media_unreadable: ['media'],
  media_not_fetched: ['retry'],
  url_refused: ['media'],
  upload_incomplete: ['retry'],
  request_invalid: ['retry'],
  post_invalid: ['retry'],
  connection_unknown: ['connections'],
  target_unknown: ['connections'],
  connection_needs_reconnect: ['connections'],
  ai_refused: ['retry'],
  cell_unknown: ['workspaces'],
  workspace_moved: ['reload'],
  cell_no_answer: ['retry'],
  cell_unreachable: ['retry'],
  workspace_moving: ['retry'],
  ai_unavailable: ['retry'],
  rate_limited: ['retry'],
  internal_error: ['retry', 'copy'],
  unavailable: ['retry'],
  connection_failed: ['retry'],
  timed_out: ['retry'],
  answer_unreadable: ['retry'],
  store_refused: ['retry', 'copy'],
  wait_timed_out: ['posts'],
  wait_pointless: ['posts'],
  content_rejected: ['posts'],
  platform_rate_limited: ['retry'],
  reconnect_needed: ['connections'],
  account_gone: ['connections'],
  platform_unavailable: ['retry'],
  outcome_unknown: ['posts'],
  restored: ['posts'],
  processing_timed_out: ['posts'],
  media_unusable: ['media'],
  not_published: ['retry'],
  connection_removed: ['connections'],
  publish_failed: ['retry'],
  INVALID_EMAIL_OR_PASSWORD: ['forgot'],
  INVALID_EMAIL: ['retry'],
  INVALID_PASSWORD: ['forgot'],
  EMAIL_NOT_VERIFIED: ['sign_in'],
  PASSWORD_TOO_SHORT: ['retry'],
  PASSWORD_TOO_LONG: ['retry'],
  PASSWORD_COMMON: ['retry'],
  INVALID_CODE: ['retry'],
  INVALID_BACKUP_CODE: ['retry'],
  ACCOUNT_TEMPORARILY_LOCKED: ['sign_in'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['sign_in'],
  INVALID_TWO_FACTOR_COOKIE: ['sign_in'],
  SESSION_NOT_FRESH: ['sign_in'],
  UNAUTHORIZED: ['sign_in'],
  CHALLENGE_NOT_FOUND: ['retry'],
  AUTHENTICATION_FAILED: ['retry'],
  USER_NOT_VERIFIED: ['retry'],
  PASSKEY_NOT_FOUND: ['sign_in'],
  TOKEN_EXPIRED: ['forgot'],
  INVALID_TOKEN: ['forgot'],
  account_not_linked: ['sign_in'],
  email_not_verified: ['sign_in'],
  signup_disabled: ['sign_in'],
  access_denied: ['sign_in'],
  passkey_cancelled: ['retry'],
}
