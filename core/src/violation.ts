export type ViolationCode =
  | 'text_missing'
  | 'text_too_long'
  | 'text_too_many_bytes'
  | 'text_too_many_links'
  | 'first_comment_too_long'
  | 'first_comment_too_many_bytes'
  | 'first_comment_too_many_links'
  | 'format_not_taken'
  | 'format_mismatch'
  | 'media_missing'
  | 'media_too_many'
  | 'media_kind'
  | 'media_type'
  | 'media_too_large'
  | 'media_pixels'
  | 'media_width'
  | 'media_ratio'
  | 'media_duration'
  | 'media_pages'
  | 'alt_too_long'

/** One rule of a platform that a draft breaks. */
export type Violation = {
  code: ViolationCode
  /** The invalid field, such as `text`, `medias[0]` or `contentFormat`. */
  path: string
  /** A sentence for the user that states the limit and the actual value. */
  message: string
}
