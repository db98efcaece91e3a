const units = ['kilobyte', 'megabyte', 'gigabyte'] as const

/** A number of bytes as people read it: "4.2 MB". */
export function formatSize(bytes: number, language: string): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3) - 1))
  const unit = units[step] ?? 'kilobyte'
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(
    bytes / 1000 ** (step + 1),
  )
}
