/** Whether a grapheme is shown as a picture: an emoji, a keycap, a flag, or a character that U+FE0F turns into an emoji. */
export function isEmoji(grapheme: string): boolean {
  return /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[#*0-9]\uFE0F?\u20E3|\p{Regional_Indicator}{2}/u.test(grapheme)
}
