/**
 * The sentences in the `warnings` of a post and of a channel. They are stored and answered as sentences; a client that writes in another
 * language finds with `readWarning` which one it is. Words in braces are filled in. A sentence that another one would match stands first.
 */
export const warningTexts = {
  // What a platform will leave out or do differently
  title_left_out: '{platform} has no title; the title will be left out.',
  title_not_shown: '{platform} shows no title here; the title will be left out.',
  first_comment_not_on_story: '{platform} takes no first comment on a story; the first comment will be left out.',
  first_comment_left_out: '{platform} takes no first comment; the first comment will be left out.',
  alt_text_not_on_story: '{platform} takes no alt text on a story; the alt text will be left out.',
  alt_text_not_on_kind: '{platform} takes no alt text on a {kind}; the alt text will be left out.',
  alt_text_left_out: '{platform} takes no alt text; the alt text will be left out.',
  ai_label_not_on_format: '{platform} has no label for posts made with AI in this format; the post will have none.',
  ai_label_left_out: '{platform} has no label for posts made with AI; the post will have none.',
  link_in_text: '{platform} has no field for a link; the link will follow the text.',
  audience_unchosen: 'On {platform} only you will see this post, because nobody chose who can see it.',
  handed_over:
    '{platform} puts this post into the inbox of its app, where a person has to finish it within {hours} hours. Text, audience and labels are ' +
    'chosen there, and no more than {max} posts may wait there in a day.',
  format_changed: '{platform} has no {chosen}; this will be published as a {used}.',
  connection_expires:
    'The permission of {connection} ends on {day}, before this post is due, and {platform} lets only the owner of the account renew it. ' +
    'Connect the account again before then.',
  approved_late: 'The post was approved after its time {at}, so it was published at once.',
  text_repeated: 'Another post has almost the same text on {connection} within 24 hours.',
  held: 'Held: it was due at {time} UTC and could not go out in time.',

  // What happens to a file
  file_first_frame: '{platform}: Only the first picture of the animation is shown.',
  file_white_background: '{platform}: The transparent parts were made white.',
  file_smaller: '{platform}: The {kind} was made smaller: {width} × {height} pixels.',
  file_larger: '{platform}: The {kind} was made larger: {width} × {height} pixels.',
  file_converted: '{platform}: The {kind} was made {article} {format}.',
  file_compressed: '{platform}: The {kind} was compressed to at most {limit}.',
  file_encoded: '{platform}: The video was encoded again, because not every platform accepts {codec}.',
  file_frame_rate: '{platform}: The video was given {rate} frames per second.',
  file_metadata_removed: '{platform}: Metadata of the file, such as place and camera, was removed.',

  // What became of it
  only_author_sees:
    'Only you can see this post, because no audience was chosen. Change it in the {platform} app (the post’s privacy settings), and choose ' +
    '"Who can see the post" (privacyLevel) for the next one.',
  kept_private:
    'Only you can see this video: {platform} keeps videos private until it has audited the developer app. Its operator has to apply for the ' +
    'audit.',
  playlist_refused: 'The video is published, but {platform} did not put it on the playlist. Add it there.',
  link_without_room: 'The text left no room for the link, and {platform} shows no card beside media, so it was left out.',
  link_or_media: '{platform} shows either media or a link card, so the link was left out.',
  link_card_bare: 'The page of the link could not be read, so its card on {platform} shows the address only.',
  link_card_without_picture: 'The picture of the linked page could not be used, so its card on {platform} has none.',
  link_with_text_only: '{platform} attaches a link to text posts only, so the link was left out.',
  alt_text_refused: '{platform} refused the alt text of a file, so the post was published without it.',
  video_converted_late:
    '{platform} converts this video only now that the post is visible, and does not tell whether that works. Check that it plays.',
  escapes_counted:
    '{platform} may have cut the end of the text: it counts signs such as brackets and underscores twice, and this text is too long with them. ' +
    'Look at the post.',
  servers_missed: '{platform}: The post is published, and these servers did not take it: {servers}.',
  story_without_text: 'A story on {platform} has no caption, so the text was left out.',
  address_unknown: '{platform} published the post but did not return its address.',
  post_unidentified: 'The platform published the post, but does not say which of its posts it is.',
  answer_not_stored: 'The platform’s answer could not be stored; the post was published.',
  id_too_long: 'The platform’s id of the post is too long to be stored; the post was published.',

  // The first comment
  comment_post_unknown: 'The first comment was not posted: the platform’s id of the post is not known.',
  comment_connection_removed: 'The first comment was not posted: the connection was removed.',
  comment_refused: 'The first comment was not posted: {reason}',
  comment_answer_lost: 'The first comment may not have been posted: its answer was lost.',
  comment_not_found: 'The first comment was not found on the platform. Retry the post to send the comment again.',
  thread_doubted:
    'The database was restored from a backup, so the rest of the thread may or may not have been published. Check the platform.',
  comment_doubted:
    'The database was restored from a backup, so the first comment may or may not have been posted. Check the platform.',
} as const satisfies Record<string, string>

export type WarningCode = keyof typeof warningTexts

/** The names in braces of a sentence. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

export function writeWarning<Code extends WarningCode>(
  code: Code,
  params: Record<Names<(typeof warningTexts)[Code]>, string>,
): string {
  const values: Record<string, string> = params
  return warningTexts[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** Which sentence a warning is, and what was filled in; null for one of another version. */
export function readWarning(warning: string): { code: WarningCode; params: Record<string, string> } | null {
  for (const [code, text] of Object.entries(warningTexts) as [WarningCode, string][]) {
    const params = readParams(warning, text)
    if (params) return { code, params }
  }
  return null
}

/** What stands in the place of the names in braces. A name takes as little as possible, but something. */
function readParams(warning: string, text: string): Record<string, string> | null {
  // Words and names by turns; a sentence without a name at its end has an empty word there.
  const [start = '', ...rest] = text.split(/[{}]/)
  if (!warning.startsWith(start)) return null
  const params: Record<string, string> = {}
  let from = start.length
  for (let n = 0; n < rest.length; n += 2) {
    const [name = '', next = ''] = rest.slice(n, n + 2)
    const isLast = n + 2 >= rest.length
    const to = isLast ? warning.length - next.length : warning.indexOf(next, from + 1)
    if (to <= from || !warning.startsWith(next, to)) return null
    params[name] = warning.slice(from, to)
    from = to + next.length
  }
  return from === warning.length ? params : null
}
