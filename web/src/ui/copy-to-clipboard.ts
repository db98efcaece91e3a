/** Copies a text. Browsers offer their clipboard only over https and on localhost; elsewhere the older command copies a selection. */
export async function copyToClipboard(text: string): Promise<void> {
  // Undefined on a page that is not secure, which the types of the browser do not say.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard) return clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
