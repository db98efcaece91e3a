/** What the caller should do next. */
export const actions = ['fix_request', 'reconnect', 'upgrade_plan', 'wait', 'retry', 'check_platform', 'contact_support'] as const
type Action = (typeof actions)[number]

type RequestErrorDefinition = { status: number; action: Action; retryable: boolean; message: string }

const fixRequest = (status: number, message: string): RequestErrorDefinition => ({
  status,
  action: 'fix_request',
  retryable: false,
  message,
})

/** All errors of requests. `docs/errors/<code>.md` explains each of them; a test checks that the two lists agree. */
export const requestErrors = {
  malformed_json: fixRequest(400, 'The request body is not valid JSON.'),
  workspace_header_missing: fixRequest(400, 'Send the id of the workspace in the X-Workspace-Id header.'),
  bad_request: fixRequest(400, 'The request could not be read.'),
  api_key_missing: fixRequest(401, 'Send an API key in the Authorization header: Bearer sk_….'),
  api_key_invalid: fixRequest(401, 'This API key is unknown, revoked or expired.'),
  session_ended: fixRequest(401, 'You are signed out; sign in again.'),
  origin_refused: fixRequest(403, 'This change was requested from a site other than Carillon.'),
  address_refused: fixRequest(403, 'This address was changed, has expired, or is for another method.'),
  confirmation_required: fixRequest(403, 'Confirm this with your password, or sign in again first.'),
  setup_code_wrong: fixRequest(403, 'This is not the setup code; it is in the log of the server.'),
  sign_up_closed: fixRequest(403, 'New people join this installation by invitation; ask a member of a workspace to invite you.'),
  role_forbidden: fixRequest(403, 'Your role in this workspace does not allow this.'),
  scope_missing: fixRequest(403, 'This API key does not have the scope that this request needs.'),
  connection_not_allowed: fixRequest(
    403,
    'This API key may not publish to this account, or change a post that has a channel of it.',
  ),
  hours_not_allowed: fixRequest(403, 'This API key may publish only at certain hours; choose a time within them.'),
  approval_required: fixRequest(
    403,
    'In this workspace another person approves posts like this one; submit it with "submit": true or POST /content/:id/submit.',
  ),
  approval_own: fixRequest(403, 'Another person must approve this post, because you submitted it.'),
  key_limit_reached: {
    status: 403,
    action: 'wait',
    retryable: false,
    message: 'The posts that this API key may release today are used up; it may release more tomorrow.',
  },
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
  plan_fixed: {
    status: 403,
    action: 'contact_support',
    retryable: false,
    message: 'The operator of this installation sets the plan of a workspace.',
  },
  quota_reached: {
    status: 403,
    action: 'contact_support',
    retryable: false,
    message: 'A quota of this installation is used up.',
  },
  storage_full: fixRequest(403, 'The storage of this workspace is used up; delete files that you no longer need.'),
  installation_storage_full: {
    status: 403,
    action: 'contact_support',
    retryable: false,
    message: 'The storage of this installation is used up; its operator can make room.',
  },
  route_not_found: fixRequest(404, 'There is nothing at this address.'),
  cell_unknown: fixRequest(404, 'No part of this installation has ids like this one.'),
  workspace_not_found: fixRequest(404, 'There is no such workspace, or you have no access to it.'),
  post_not_found: fixRequest(404, 'There is no such post in this workspace.'),
  channel_not_found: fixRequest(404, 'The post has no such channel.'),
  connection_not_found: fixRequest(404, 'There is no such connection in this workspace.'),
  api_key_not_found: fixRequest(404, 'There is no such API key in this workspace.'),
  queue_not_found: fixRequest(404, 'There is no such queue in this workspace.'),
  label_not_found: fixRequest(404, 'There is no such label in this workspace.'),
  import_not_found: fixRequest(404, 'There is no such import in this workspace.'),
  note_not_found: fixRequest(404, 'There is no such note in this workspace.'),
  webhook_not_found: fixRequest(404, 'There is no such webhook in this workspace.'),
  delivery_not_found: fixRequest(404, 'The webhook has no such delivery.'),
  member_not_found: fixRequest(404, 'There is no such member in this workspace.'),
  invitation_not_found: fixRequest(404, 'There is no such invitation.'),
  attempt_not_found: fixRequest(
    404,
    'There is no such attempt to connect an account in this browser, or it is over; start again.',
  ),
  platform_not_found: fixRequest(404, 'Carillon does not know this platform.'),
  media_not_found: fixRequest(404, 'There is no such media in this workspace.'),
  upload_not_found: fixRequest(404, 'There is no such upload under way in this workspace.'),
  first_run_over: fixRequest(409, 'This install has an account already; sign in, or ask for an invitation.'),
  not_a_draft: fixRequest(409, 'Only a draft can be changed or published this way.'),
  external_id_taken: fixRequest(409, 'Another record of the same kind has this external id.'),
  old_queue_running: fixRequest(
    409,
    'Nothing was scheduled: first stop the queue of the other tool, then say so with oldQueueStopped. Drafts can be imported at any time.',
  ),
  label_name_taken: fixRequest(409, 'Another label of this workspace has this name.'),
  labels_full: fixRequest(409, 'A post has at most 10 labels; take one away first.'),
  queue_full: fixRequest(409, 'No slot of this queue is free for this post in the next 90 days.'),
  duplicate_refused: fixRequest(
    409,
    'Another post has almost the same text on the same account within 24 hours; change the text.',
  ),
  not_submitted: fixRequest(409, 'The post does not wait for an approval.'),
  approval_changed: fixRequest(409, 'The post is not what was submitted, or not what you looked at; look at the current one.'),
  not_scheduled: fixRequest(409, 'The post is not scheduled.'),
  nothing_to_retry: fixRequest(409, 'No channel and no first comment of this post has failed.'),
  not_unconfirmed: fixRequest(409, 'This channel is not waiting to be confirmed.'),
  already_publishing: fixRequest(409, 'The post is being published right now.'),
  webhook_of_account: fixRequest(409, 'This webhook belongs to the account of a member, who alone can change it.'),
  last_owner: fixRequest(409, 'A workspace must keep at least one owner.'),
  already_member: fixRequest(409, 'This person is a member of the workspace already.'),
  invitation_pending: fixRequest(409, 'This person has been invited already, and the invitation is still open.'),
  invitation_ended: fixRequest(409, 'This invitation has expired or was used before; ask for another one.'),
  connect_expired: fixRequest(409, 'Connecting took longer than ten minutes, or this sign-in was already used; start again.'),
  connect_account_differs: fixRequest(409, 'The chosen account is not the one to be reconnected.'),
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
  media_in_use: fixRequest(409, 'A post that may still be published uses this file.'),
  draft_changed: fixRequest(412, 'The draft was changed since you read it; look at the current one and save again.'),
  body_too_large: fixRequest(413, 'The request body is too large.'),
  media_type_unsupported: fixRequest(415, 'This content type is not supported here; send application/json.'),
  media_too_large: fixRequest(413, 'The file is too large.'),
  media_type_refused: fixRequest(415, 'Files of this type are not accepted.'),
  request_invalid: fixRequest(422, 'The request has fields that cannot be accepted.'),
  post_invalid: fixRequest(422, 'The post breaks a rule of at least one of its platforms.'),
  connection_unknown: fixRequest(422, 'The workspace has no connection with this slug.'),
  connection_needs_reconnect: {
    status: 422,
    action: 'reconnect',
    retryable: false,
    message: 'A connection has lost its permission and must be connected again.',
  },
  idempotency_key_reused: fixRequest(422, 'This Idempotency-Key was used before with another body.'),
  url_refused: fixRequest(422, 'Carillon may not send requests to this address.'),
  target_unknown: fixRequest(422, 'The connection has no such page or account to publish to.'),
  connect_refused: {
    status: 422,
    action: 'check_platform',
    retryable: false,
    message: 'The platform refused the connection.',
  },
  ai_refused: fixRequest(422, 'The AI model declined to write this; change the text and ask again.'),
  media_unreadable: fixRequest(422, 'The file is damaged, or its decoded content is too large.'),
  media_not_fetched: fixRequest(422, 'The file could not be fetched from its address.'),
  upload_incomplete: fixRequest(422, 'The uploaded parts do not make up the file.'),
  rate_limited: { status: 429, action: 'wait', retryable: true, message: 'Too many requests; slow down.' },
  ai_daily_limit_reached: {
    status: 429,
    action: 'wait',
    retryable: true,
    message: 'The AI tokens of this day are used up; try again later.',
  },
  mail_limit_reached: {
    status: 429,
    action: 'wait',
    retryable: true,
    message: 'Too many mails were sent today; try again later.',
  },
  workspace_moved: { status: 421, action: 'retry', retryable: true, message: 'This workspace is in another cell now.' },
  internal_error: { status: 500, action: 'contact_support', retryable: true, message: 'Something went wrong on our side.' },
  cell_no_answer: {
    status: 502,
    action: 'retry',
    retryable: true,
    message: 'The cell of this workspace did not answer this request.',
  },
  cell_unreachable: { status: 503, action: 'retry', retryable: true, message: 'The cell of this workspace cannot be reached.' },
  workspace_moving: {
    status: 503,
    action: 'retry',
    retryable: true,
    message: 'This workspace is being moved; try again shortly.',
  },
  ai_unavailable: { status: 503, action: 'retry', retryable: true, message: 'The AI model is not answering; try again shortly.' },
  unavailable: { status: 503, action: 'retry', retryable: true, message: 'A part of the service is not answering.' },
} as const satisfies Record<string, RequestErrorDefinition>

export type ErrorCode = keyof typeof requestErrors

type ChannelErrorDefinition = { action: Action; retryable: boolean; message: string }

/** All errors of channels, by their `result.error.code`. */
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
  account_gone: { action: 'check_platform', retryable: false, message: 'The account or its target no longer exists.' },
  platform_unavailable: { action: 'retry', retryable: true, message: 'The platform did not respond to several attempts.' },
  outcome_unknown: {
    action: 'check_platform',
    retryable: false,
    message: 'The platform may have published this, but its response was lost. Check the platform, then resolve the channel.',
  },
  restored: {
    action: 'check_platform',
    retryable: false,
    message:
      'The database was restored from a backup, and this post was due in the lost time. Check the platform, then resolve the channel.',
  },
  processing_timed_out: {
    action: 'check_platform',
    retryable: false,
    message: 'The platform accepted the post but did not finish processing it in time.',
  },
  media_unusable: {
    action: 'fix_request',
    retryable: false,
    message: 'A file of the post could not be fetched, cannot be converted for the platform, or was deleted.',
  },
  not_published: { action: 'retry', retryable: true, message: 'A user checked the platform: it was not published.' },
  connection_removed: { action: 'reconnect', retryable: false, message: 'The connection was removed before the post was due.' },
  publish_failed: {
    action: 'contact_support',
    retryable: true,
    message: 'Something went wrong on our side before anything was sent.',
  },
} as const satisfies Record<string, ChannelErrorDefinition>

export type ChannelErrorCode = keyof typeof channelErrors
