import { html, json, Refusal, type Reply } from '../../http/reply.ts'

/** WordPress's own codes, each with its status and its sentence. Some statuses are not what one would expect. */
const known = {
  rest_no_route: [404, 'No route was found matching the URL and request method.'],
  rest_not_logged_in: [401, 'You are not currently logged in.'],
  incorrect_password: [401, 'The provided password is an invalid application password.'],
  rest_cannot_create: [403, 'Sorry, you are not allowed to create posts as this user.'],
  rest_cannot_publish: [403, 'Sorry, you are not allowed to publish posts in this post type.'],
  rest_forbidden_context: [403, 'Sorry, you are not allowed to edit comments.'],
  rest_invalid_param: [400, 'Invalid parameter(s)'],
  rest_invalid_featured_media: [400, 'Invalid featured media ID.'],
  empty_content: [400, 'Content, title, and excerpt are empty.'],
  rest_post_invalid_id: [404, 'Invalid post ID.'],
  rest_comment_invalid_id: [404, 'Invalid comment ID.'],
  rest_comment_invalid_post_id: [403, 'Sorry, you are not allowed to create this comment without a post.'],
  rest_comment_closed: [403, 'Sorry, comments are closed for this item.'],
  rest_comment_content_invalid: [400, 'Invalid comment content.'],
  comment_duplicate: [409, 'Duplicate comment detected; it looks as though you&#8217;ve already said that!'],
  rest_upload_no_data: [400, 'No data supplied.'],
  rest_upload_unknown_error: [500, 'Sorry, you are not allowed to upload this file type.'],
} as const satisfies Record<string, readonly [number, string]>

const critical = '<p>There has been a critical error on this website.</p><p>Learn more about troubleshooting WordPress.</p>'

const retryAfterSecondsDefault = 600

/** What WordPress answers itself. The server in front of it, a firewall and the maintenance page answer with a page. */
export function failure(status: number, retryAfterSeconds = retryAfterSecondsDefault): Reply {
  if (status === 401) return refusal('incorrect_password').reply
  if (status === 404) return refusal('rest_no_route').reply
  if (status === 500) return json(500, { code: 'internal_server_error', message: critical, data: { status: 500 } })
  const page = html(status, `<!doctype html><title>${status}</title><p>Briefly unavailable for scheduled maintenance.</p>`)
  const hasWait = status === 429 || status === 503
  return hasWait ? { ...page, headers: { ...page.headers, 'retry-after': String(retryAfterSeconds) } } : page
}

/** A refusal can carry more, such as the number of the term that exists already. */
export function refusal(code: keyof typeof known): Refusal {
  const [status, message] = known[code]
  return new Refusal(json(status, { code, message, data: { status } }))
}

export function termExists(termId: number): Refusal {
  const message = 'A term with the name provided already exists in this taxonomy.'
  return new Refusal(json(400, { code: 'term_exists', message, data: { status: 400, term_id: termId } }))
}

/** The server in front of PHP refuses large bodies before WordPress sees them. */
export function tooLarge(): Refusal {
  return new Refusal(html(413, '<html><head><title>413 Request Entity Too Large</title></head><body>nginx</body></html>'))
}
