/**
 * Copies a text, and tells whether it was copied. Browsers offer their clipboard only over https and on localhost, and may refuse it there too, for
 * example in a frame; the older command copies a selection.
 */
export async function copyToClipboard(text: string): Promise<boolean> {
  // Undefined on a page that is not secure, which the types of the browser do not say.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard) {
    const isCopied = await clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    if (isCopied) return true
  }
  return copySelection(text)
}

function copySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
