/** Keys of the keyboard, as they are printed on it. Touch devices have none, so that only a list of keys shows them there. */
export function Keys({ keys, isList = false }: { keys: readonly string[]; isList?: boolean }) {
  return (
    <span className={`inline-flex gap-1 ${isList ? '' : 'pointer-coarse:hidden'}`}>
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
