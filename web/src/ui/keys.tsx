/** Keys of the keyboard, as they are printed on it. Touch devices have none. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-1 pointer-coarse:hidden">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded-chip border border-line bg-sunken px-1 text-center font-sans text-xs text-quiet"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
