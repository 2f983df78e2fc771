# Runs the steps of steps.sh one after the other, prints how long each took, and ends at the first that fails.

# run_steps LIMIT STEP…: within LIMIT seconds together. `a+b` are steps side by side, whose output follows when all have ended.
run_steps() {
  local group
  STEPS_LIMIT=$1
  shift
  assert_steps "${*//+/ }"
  export STEP_TIMES STEPS_BEGAN=$((EPOCHSECONDS - SECONDS))
  STEP_TIMES=$(mktemp -d)
  trap end_steps EXIT
  # What the deep tests require depends on what `check` has seen.
  if [[ " ${*//+/ } " =~ " check "(.*" ")?"slow_deep " ]]; then export SEEN_STATUSES_FILE=$STEP_TIMES/statuses; fi
  while [ $# -gt 0 ]; do
    group=$1
    shift
    if [ $# = 0 ] && [[ $group != *+* ]]; then export LAST_STEP=$group LAST_STEP_BEGAN=$SECONDS; fi
    printf '\n== %s, %s s after the start\n' "${group//+/ and }" "$SECONDS"
    run_group "$group"
  done
  # Nothing may follow vitest's summary: test/support/step-times.ts has printed the table above it.
  if [ ! -e "$STEP_TIMES/printed" ]; then print_times; fi
}

assert_steps() {
  (
    . .ci/steps.sh
    for name in $1; do
      if ! declare -F "$name" > /dev/null; then
        echo "There is no step $name in .ci/steps.sh" >&2
        exit 64
      fi
    done
  )
}

run_group() {
  local name status=0 names pids=()
  read -ra names <<< "${1//+/ }"
  if [ ${#names[@]} = 1 ]; then
    run_step "$1" || status=$?
  else
    for name in "${names[@]}"; do
      run_step "$name" &> "$STEP_TIMES/$name.log" &
      pids+=($!)
    done
    for name in "${!pids[@]}"; do
      wait "${pids[name]}" || status=$?
      cat "$STEP_TIMES/${names[name]}.log"
    done
  fi
  if [ "$status" = 0 ]; then return; fi
  print_times
  exit "$status"
}

run_step() {
  local begin=$SECONDS status=0 rest=$((STEPS_LIMIT - SECONDS))
  timeout --kill-after=10 $((rest > 0 ? rest : 1)) bash -euo pipefail -c ". .ci/steps.sh; $1" || status=$?
  printf '%-18s %5s s\n' "$1" $((SECONDS - begin)) >> "$STEP_TIMES/times"
  if [ "$status" != 0 ]; then
    echo "== $1 failed with $status after $((SECONDS - begin)) s (124: the limit of $STEPS_LIMIT s for all)"
  elif [ "$1" != "${LAST_STEP:-}" ]; then
    echo "== $1 took $((SECONDS - begin)) s"
  fi
  return "$status"
}

print_times() {
  printf '\n'
  cat "$STEP_TIMES/times"
  printf '%-18s %5s s\n' "all" "$SECONDS"
}

end_steps() {
  local pids
  pids=$(jobs -p)
  # shellcheck disable=SC2086
  if [ -n "$pids" ]; then kill $pids; fi
  rm -rf "$STEP_TIMES"
}
