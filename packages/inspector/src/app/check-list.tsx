/** Checks that passed, in words. */
export function CheckList({ checks }: { readonly checks: readonly string[] }) {
  return (
    <ul class="checks">
      {checks.map((text) => (
        <li key={text}>
          <span aria-hidden="true">✓</span>
          {text}
        </li>
      ))}
    </ul>
  )
}
