/** What a person or program should do next. */
export const actions = ['fix_request', 'reconnect', 'upgrade_plan', 'wait', 'retry', 'check_platform', 'contact_support'] as const
export type Action = (typeof actions)[number]

type ErrorFacts = { status: number; action: Action; retryable: boolean; message: string }

const fix = (status: number, message: string): ErrorFacts => ({ status, action: 'fix_request', retryable: false, message })

/** Every way a request can be refused. `docs/errors/<code>.md` explains each; a test proves that the two lists agree. */
export const requestErrors = {
  malformed_json: fix(400, 'The request body is not valid JSON.'),
  workspace_header_missing: fix(400, 'Say which workspace this is for in the X-Workspace-Id header.'),
  bad_request: fix(400, 'The request could not be read.'),
  api_key_missing: fix(401, 'Send an API key in the Authorization header: Bearer sk_….'),
  api_key_invalid: fix(401, 'This API key is unknown, revoked or expired.'),
  session_ended: fix(401, 'You are signed out; sign in again.'),
  origin_refused: fix(403, 'This change was asked for from another site than Carillon itself.'),
  address_refused: fix(403, 'This address has been altered, has run out, or is for another method.'),
  role_forbidden: fix(403, 'Your role in this workspace does not allow this.'),
  scope_missing: fix(403, 'This API key was made without the scope this needs.'),
  plan_limit_reached: {
    status: 403,
    action: 'upgrade_plan',
    retryable: false,
    message: 'The plan’s posts for this month are used up.',
  },
  plan_required: {
    status: 403,
    action: 'upgrade_plan',
    retryable: false,
    message: 'The workspace’s plan does not include this.',
  },
  ai_budget_reached: {
    status: 403,
    action: 'wait',
    retryable: false,
    message: 'The workspace’s AI tokens for this month are used up.',
  },
  route_not_found: fix(404, 'There is nothing at this address.'),
  workspace_not_found: fix(404, 'There is no such workspace, or it is not yours to see.'),
  post_not_found: fix(404, 'There is no such post in this workspace.'),
  channel_not_found: fix(404, 'The post has no such channel.'),
  connection_not_found: fix(404, 'There is no such connection in this workspace.'),
  api_key_not_found: fix(404, 'There is no such API key in this workspace.'),
  webhook_not_found: fix(404, 'There is no such webhook in this workspace.'),
  delivery_not_found: fix(404, 'The webhook has no such delivery.'),
  member_not_found: fix(404, 'There is no such member in this workspace.'),
  invitation_not_found: fix(404, 'There is no such invitation.'),
  platform_not_found: fix(404, 'Carillon does not know this platform.'),
  media_not_found: fix(404, 'There is no such media in this workspace.'),
  upload_not_found: fix(404, 'There is no such upload under way in this workspace.'),
  not_a_draft: fix(409, 'Only a draft can be changed or published this way.'),
  not_scheduled: fix(409, 'The post is not scheduled.'),
  nothing_to_retry: fix(409, 'No channel of this post has failed.'),
  not_unconfirmed: fix(409, 'This channel is not waiting to be confirmed.'),
  already_publishing: fix(409, 'The post is being published right now.'),
  last_owner: fix(409, 'A workspace must keep at least one owner.'),
  already_member: fix(409, 'This person is a member of the workspace already.'),
  invitation_pending: fix(409, 'This person has been invited already, and the invitation is still open.'),
  invitation_ended: fix(409, 'This invitation has expired or was used before; ask for another one.'),
  connect_expired: fix(409, 'Connecting took longer than ten minutes, or this answer was used before; start again.'),
  connect_account_differs: fix(409, 'Another account than the one to be reconnected was chosen.'),
  platform_not_configured: {
    status: 409,
    action: 'contact_support',
    retryable: false,
    message: 'This install has no developer app for the platform.',
  },
  idempotency_in_flight: {
    status: 409,
    action: 'wait',
    retryable: true,
    message: 'The first request with this Idempotency-Key is still running.',
  },
  media_in_use: fix(409, 'A post that is still to be published uses this file.'),
  body_too_large: fix(413, 'The request body is too large.'),
  media_type_unsupported: fix(415, 'This content type is not understood here; send application/json.'),
  media_too_large: fix(413, 'The file is too large.'),
  media_type_refused: fix(415, 'Files of this type are not taken.'),
  request_invalid: fix(422, 'The request has fields that cannot be accepted.'),
  post_invalid: fix(422, 'The post breaks a rule of at least one of its platforms.'),
  connection_unknown: fix(422, 'The workspace has no connection with this slug.'),
  connection_needs_reconnect: {
    status: 422,
    action: 'reconnect',
    retryable: false,
    message: 'A connection has lost its permission and must be connected again.',
  },
  idempotency_key_reused: fix(422, 'This Idempotency-Key was used before with another body.'),
  url_refused: fix(422, 'This address cannot be reached from here.'),
  target_unknown: fix(422, 'The connection has no such page or account to publish to.'),
  connect_refused: {
    status: 422,
    action: 'check_platform',
    retryable: false,
    message: 'The platform did not let Carillon in.',
  },
  ai_refused: fix(422, 'The AI model declined to write this; change the text and ask again.'),
  media_unreadable: fix(422, 'The file is broken, or larger inside than it may be.'),
  media_not_fetched: fix(422, 'The file could not be fetched from its address.'),
  upload_incomplete: fix(422, 'The uploaded parts do not make up the file.'),
  rate_limited: { status: 429, action: 'wait', retryable: true, message: 'Too many requests; slow down.' },
  internal_error: { status: 500, action: 'contact_support', retryable: true, message: 'Something went wrong on our side.' },
  ai_unavailable: { status: 503, action: 'retry', retryable: true, message: 'The AI model is not answering; try again shortly.' },
  unavailable: { status: 503, action: 'retry', retryable: true, message: 'A part of the service is not answering.' },
} as const satisfies Record<string, ErrorFacts>

export type ErrorCode = keyof typeof requestErrors

type ChannelErrorFacts = { action: Action; retryable: boolean; message: string }

/** Every way a channel can fail, as `result.error.code` names it. */
export const channelErrors = {
  content_rejected: { action: 'fix_request', retryable: false, message: 'The platform refused the post.' },
  platform_rate_limited: {
    action: 'wait',
    retryable: true,
    message: 'The platform’s rate limit was reached and did not clear in time.',
  },
  reconnect_needed: {
    action: 'reconnect',
    retryable: false,
    message: 'The platform no longer accepts our permission for this account.',
  },
  account_gone: { action: 'check_platform', retryable: false, message: 'The account or its target is no longer there.' },
  platform_unavailable: { action: 'retry', retryable: true, message: 'The platform did not answer, several times.' },
  outcome_unknown: {
    action: 'check_platform',
    retryable: false,
    message: 'The platform may have published this, but its answer was lost. Look there, then resolve the channel.',
  },
  processing_timed_out: {
    action: 'check_platform',
    retryable: false,
    message: 'The platform accepted the post and never finished processing it.',
  },
  media_unusable: {
    action: 'fix_request',
    retryable: false,
    message: 'A file of the post could not be fetched, or cannot be made to fit the platform.',
  },
  not_published: { action: 'retry', retryable: true, message: 'A person checked: it was not published.' },
  connection_removed: { action: 'reconnect', retryable: false, message: 'The connection was removed before the post was due.' },
  publish_failed: {
    action: 'contact_support',
    retryable: true,
    message: 'Something went wrong on our side before anything was sent.',
  },
} as const satisfies Record<string, ChannelErrorFacts>

export type ChannelErrorCode = keyof typeof channelErrors
