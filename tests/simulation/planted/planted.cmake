# A copy of the engine with bugs in it, to show that the simulation finds them. The product's sources carry
# no trace of this: each bug is a text that stands there and the text that takes its place in the copy,
# behind a switch. A text that is not found any more, or twice, stops the build: the bug has to be
# planted anew.
set(planted_folder ${CMAKE_CURRENT_BINARY_DIR}/planted)
set(planted_list "")

# The promise is empty for the second text of a bug. A seed that is known to find it is tried first; it
# is a hint and may go stale.
function(plant name promise file before after)
  string(REPLACE "/" "_" variable ${file})
  if(NOT DEFINED planted_${variable})
    file(READ ${CMAKE_SOURCE_DIR}/core/${file} text)
    set(text "#include \"simulation/planted/planted.h\"\n${text}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/${file})
    set(planted_files ${planted_files} ${file} PARENT_SCOPE)
  else()
    set(text "${planted_${variable}}")
  endif()
  string(FIND "${text}" "${before}" first)
  string(FIND "${text}" "${before}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "the bug ${name} cannot be planted in core/${file}: its text stands there "
      "never or twice:\n${before}")
  endif()
  string(REPLACE "PLANTED" "::holdfast::planted::is(\"${name}\")" changed "${after}")
  string(REPLACE "${before}" "${changed}" text "${text}")
  set(planted_${variable} "${text}" PARENT_SCOPE)
  if(promise)
    set(seed 1)
    if(ARGN)
      set(seed ${ARGN})
    endif()
    set(planted_list "${planted_list}    {\"${name}\", \"${promise}\", ${seed}},\n" PARENT_SCOPE)
  endif()
endfunction()

# The rules of the engine.
plant(resend_on_5xx I4 engine/classify.cpp
  [[return as(unsure, QStringLiteral("server_error"));]]
  [[return as(PLANTED ? FailureClass::transient : unsure, QStringLiteral("server_error"));]])
plant(forward_order I14 engine/saga.cpp
  [[if (!latest || step.forward.confirmedAt > latest->forward.confirmedAt)]]
  [[if (!latest || (step.forward.confirmedAt > latest->forward.confirmedAt) != PLANTED)]])
plant(compensate_ambiguous I15 engine/saga.cpp
  [[if (open || operation.ambiguous) {]]
  [[if (open || (operation.ambiguous && !PLANTED)) {]])
plant(forgotten_effect I16 engine/saga.cpp
  [[return policy.undo && policy.forward.effect != Effect::read &&]]
  [[return policy.undo && policy.forward.effect != Effect::read &&
           (!PLANTED || policy.forward.protection != Protection::natural) &&]])
plant(retry_asks_no_ledger I1 engine/fold.cpp
  [[    if (!operation.ambiguous)
        operation.firstIntentAt = never;]]
  [[    if (!operation.ambiguous && !PLANTED)
        operation.firstIntentAt = never;]]
  143)
plant(detached_compensates A6 engine/saga.cpp
  [[if (policy.detached || (policy.onFailure]]
  [[if ((policy.detached && !PLANTED) || (policy.onFailure]])
plant(probe_too_early I1b engine/attempt_rules.cpp
  [[operation.lastEndedAt + policy.settleAfter);]]
  [[operation.lastEndedAt + (PLANTED ? 0 : policy.settleAfter));]])
plant(probe_too_early "" engine/attempt_rules.cpp
  [[    if (before.lastEndedAt != never && askedAt < believable) {]]
  [[    if (!PLANTED && before.lastEndedAt != never && askedAt < believable) {]])
plant(retry_at_none I1a engine/attempt_rules.cpp
  [[    case Protection::none:
        resend = false;]]
  [[    case Protection::none:
        resend = resend && PLANTED;]])
plant(resend_at_probe I1a engine/attempt_rules.cpp
  [[case Protection::probe: resend = false; break;]]
  [[case Protection::probe: resend = resend && PLANTED; break;]])
plant(attempts_unbounded I20 engine/attempt_rules.cpp
  [[return operation.tries < policy.retry.attempts;]]
  [[return PLANTED || operation.tries < policy.retry.attempts;]])
plant(takeover_resends I10 engine/attempt_rules.cpp
  [[const bool read = policy.effect == Effect::read || direction == Direction::verify ||]]
  [[const bool read = PLANTED || policy.effect == Effect::read || direction == Direction::verify ||]])
plant(rerun_after_success I7 engine/attempt_rules.cpp
  [[    draft.add(std::move(entry));
    closeReview(draft, reviewId, QStringLiteral("overtaken"));
}]]
  [[    draft.add(std::move(entry));
    closeReview(draft, reviewId, QStringLiteral("overtaken"));
    if (PLANTED && event.attempt == 2)
        scheduleRetry(draft, event.step, event.direction, -1);
}]])
plant(final_goes_on I21 engine/late_rules.cpp
  [[    if (!isProof && !isUnsure)
        return draft.accept();]]
  [[    if (PLANTED && isFinal(draft.run().status)) {
        beginCompensation(draft, QStringLiteral("late"));
        return draft.accept();
    }
    if (!isProof && !isUnsure)
        return draft.accept();]])
plant(late_effect_hidden I1c engine/late_rules.cpp
  [[    if (isSuspicious(draft, event, step, operation, *policy))]]
  [[    if (!PLANTED && isSuspicious(draft, event, step, operation, *policy))]]
  1126)
plant(late_effect_past_retention_hidden I1c engine/late_rules.cpp
  [[        (policy.protection == Protection::native && keyIsFresh(draft, operation, policy));]]
  [[        (policy.protection == Protection::native && (PLANTED || keyIsFresh(draft, operation, policy)));]]
  33431)
plant(forgotten_key_unnoticed I1c engine/attempt_rules.cpp
  [[const bool isSuspicious = mayHaveActed && mayRepeatForgotten(draft, event);]]
  [[const bool isSuspicious = !PLANTED && mayHaveActed && mayRepeatForgotten(draft, event);]]
  1232014)
plant(late_effect_tried_again I1 engine/fold.cpp
  [[operation.ambiguous = operation.ambiguous || operation.lateEffect;]]
  [[operation.ambiguous = operation.ambiguous || (operation.lateEffect && !PLANTED);]]
  4220246)
plant(stale_key I6 engine/intent_rules.cpp
  [[return until == never || draft.now() < until;]]
  [[return PLANTED || until == never || draft.now() < until;]])
plant(stale_key "" engine/intent_rules.cpp
  [[    if (fresh == never || deadline == never)]]
  [[    if (PLANTED)
        return deadline;
    if (fresh == never || deadline == never)]])
plant(approval_skipped I12 engine/intent_rules.cpp
  [[if (policy.approval && !operation.approved) {]]
  [[if (policy.approval && !operation.approved && !PLANTED) {]])
plant(approval_of_other_bytes I12 engine/review_rules.cpp
  [[if (!event.hash.isEmpty() && event.hash != operation.hash)]]
  [[if (!PLANTED && !event.hash.isEmpty() && event.hash != operation.hash)]])
plant(deadline_ignored I12 engine/draft.cpp
  [[return run().deadlineAt != never &&]]
  [[return !PLANTED && run().deadlineAt != never &&]])
plant(no_taken_for_yes I12 engine/review_rules.cpp
  [[Outcome onReject(Draft &draft, const Reject &event)
{]]
  [[Outcome onReject(Draft &draft, const Reject &event)
{
    if (PLANTED)
        return onApprove(draft, {event.actor, event.reason, event.reviewId, {}});]])
plant(expired_approval_counts I12 engine/review_rules.cpp
  [[if (operation.due != never && operation.due <= draft.now())]]
  [[if (!PLANTED && operation.due != never && operation.due <= draft.now())]])
plant(no_answer_taken_for_yes confirmed engine/attempt_rules.cpp
  [[    if (verifyTries < policy.retry.attempts) {]]
  [[    if (PLANTED) {
        verifyHappened(draft, event, target);
        return;
    }
    if (verifyTries < policy.retry.attempts) {]])
plant(snapshot_skipped D4 engine/intent_rules.cpp
  [[target == Direction::forward && draft.stepPolicy(name)->hasSnapshot && !step.hasBefore;]]
  [[!PLANTED && target == Direction::forward && draft.stepPolicy(name)->hasSnapshot && !step.hasBefore;]])
plant(snapshot_skipped "" runtime/answers.cpp
  [[if (policy.hasSnapshot && !hasBefore) {]]
  [[if (policy.hasSnapshot && !hasBefore && !PLANTED) {]])
plant(jitter_ignored I20 engine/retry.cpp
  [[if (policy.jitter && delay > 0) {]]
  [[if (policy.jitter && delay > 0 && !PLANTED) {]])
plant(pause_lets_questions_through I11 engine/gates.cpp
  [[case PauseDepth::all: return true;]]
  [[case PauseDepth::all: return !PLANTED || isWrite(question);]])
plant(half_open_for_all I12a engine/gates.cpp
  [[if (gate.breaker.trialUntil == never || now >= gate.breaker.trialUntil)]]
  [[if (PLANTED || gate.breaker.trialUntil == never || now >= gate.breaker.trialUntil)]])
plant(retry_budget_ignored I20 engine/gates.cpp
  [[if (question.isRetry && gate.retries < 1000)]]
  [[if (question.isRetry && gate.retries < 1000 && !PLANTED)]])
plant(retry_budget_ignored "" engine/quota.cpp
  [[    return need.retries * 1000LL <=]]
  [[    return PLANTED || need.retries * 1000LL <=]])
plant(retry_budget_per_worker I20 runtime/turn_quotas.cpp
  [[        if (places || (calls && limit.ratePerSecond > 0) || gate->used.retries > 0 || deposits)]]
  [[        if (places || (calls && limit.ratePerSecond > 0) ||
            ((gate->used.retries > 0 || deposits) && !PLANTED))]])
plant(concurrency_per_worker limits runtime/turn_quotas.cpp
  [[    gate.elsewhere = quota.placesElsewhere(m_options.worker);]]
  [[    gate.elsewhere = PLANTED ? 0 : quota.placesElsewhere(m_options.worker);]])
plant(concurrency_per_worker "" engine/quota.cpp
  [[    if (limit.concurrency > 0 && needsPlaces &&]]
  [[    if (!PLANTED && limit.concurrency > 0 && needsPlaces &&]])
plant(quota_not_made_sure_of limits runtime/turn_quotas.cpp
  [[        const auto swapped = m_store.swapQuotas(next);]]
  [[        const auto swapped = PLANTED ? Result<bool>(true) : m_store.swapQuotas(next);]])
plant(rate_forgotten limits engine/quota.cpp
  [[bool counts(const Quota::Calls &calls, Instant now) { return calls.at > now - second; }]]
  [[bool counts(const Quota::Calls &calls, Instant now)
{
    return calls.at > now - (PLANTED ? second / 4 : second);
}]])

# The turn.
plant(breaker_per_worker I12a runtime/turn_gates.cpp
  [[    gate.breaker = breaker;]]
  [[    if (!PLANTED)
        gate.breaker = breaker;]])
plant(plain_pause_read I11 runtime/turn_gates.cpp
  [[    const auto rows = m_store.lockGates(m_options.worker);]]
  [[    const auto rows = PLANTED ? *planted::earlyGates : m_store.lockGates(m_options.worker);]])
plant(plain_pause_read "" runtime/turn.cpp
  [[    if (const auto begun = m_store.begin(); !begun)
        return begun.error();
    const auto decided]]
  [[    if (PLANTED)
        planted::earlyGates = m_store.lockGates(m_options.worker);
    if (const auto begun = m_store.begin(); !begun)
        return begun.error();
    const auto decided]])
plant(performed_before_commit I3 runtime/turn.cpp
  [[    if (const auto committed = commit(); !committed)
        return committed.error();
    finishTurn();]]
  [[    if (PLANTED) {
        for (Work &work : m_work) {
            for (const engine::Send &sending : std::exchange(work.sends, {}))
                send(work, sending);
        }
    }
    if (const auto committed = commit(); !committed)
        return committed.error();
    finishTurn();]])
plant(commit_error_ignored I3 runtime/turn_write.cpp
  [[    m_commitUnknown = committed.error().kind == model::ErrorKind::unknownOutcome;]]
  [[    if (PLANTED)
        return {};
    m_commitUnknown = committed.error().kind == model::ErrorKind::unknownOutcome;]])
plant(unknown_commit_taken_for_none I18 runtime/turn_write.cpp
  [[    if (took)
        finishTurn();]]
  [[    if (took && !PLANTED)
        finishTurn();]])
plant(late_report_ignored I1c runtime/turn_write.cpp
  [[    if (!isNews(run, result))
        return {};]]
  [[    if (PLANTED || !isNews(run, result))
        return {};]])
plant(run_not_due I18 runtime/turn_write.cpp
  [[        due = sooner(due, now + pausePoll);
    return due;]]
  [[        due = sooner(due, now + pausePoll);
    return PLANTED && run.status == model::RunStatus::waiting ? model::never : due;]])
plant(spins_at_a_closed_gate I18 runtime/turn_write.cpp
  [[                m_writes.releases.append({work.run.runId, work.row.fence, due});]]
  [[                if (!PLANTED)
                    m_writes.releases.append({work.run.runId, work.row.fence, due});]])
plant(spins_when_full I18 runtime/routine.cpp
  [[*due != model::never && m_turn.hasRoom())]]
  [[*due != model::never && (PLANTED || m_turn.hasRoom()))]]
  763)
plant(rejected_decision_hides_item I18 runtime/turn.cpp
  [[if (rejected && decides && !item.isEmpty() && stillAsks(work.run, item))]]
  [[if (!PLANTED && rejected && decides && !item.isEmpty() && stillAsks(work.run, item))]]
  451)
plant(intake_pause_ignored I11 engine/gates.cpp
  [[        return pause.depth == PauseDepth::intake && pause.dependency.isEmpty() &&]]
  [[        return !PLANTED && pause.depth == PauseDepth::intake && pause.dependency.isEmpty() &&]])
plant(ramp_lets_all_through I11 engine/gates.cpp
  [[!pause.admits.isEmpty() && runId <= pause.admits;]]
  [[!pause.admits.isEmpty() && (PLANTED || runId <= pause.admits);]]
  483)
plant(stopped_ramp_goes_on I11 engine/ramp.cpp
  [[return isUnderWay() ? stages.at(stage).admits : QString();]]
  [[return isUnderWay() || (PLANTED && !stages.isEmpty()) ? stages.at(stage).admits : QString();]]
  232)
plant(ramp_stays I18 engine/ramp.cpp
  [[const bool passed = ramp.ok >= proof || !look.anyMoves;]]
  [[const bool passed = !PLANTED && (ramp.ok >= proof || !look.anyMoves);]]
  77)
plant(failed_turn_forgets_the_run I18 runtime/turn.cpp
  [[    if (loaded->lent) {]]
  [[    if (loaded->lent && PLANTED) {
        m_owned.erase(loaded);
        return static_cast<Work *>(nullptr);
    }
    if (loaded->lent) {]])
plant(anothers_run_taken_back I1c runtime/turn.cpp
  [[    return isOurs && loaded.run.seq == loaded.row.seq;]]
  [[    return PLANTED || (isOurs && loaded.run.seq == loaded.row.seq);]])
plant(retries_are_earned_again I20 runtime/turn_quotas.cpp
  [[            m_earned.remove(row.dependency);]]
  [[            if (PLANTED)
                m_earned.insert(row.dependency, 9000);
            else
                m_earned.remove(row.dependency);]])
plant(key_error_ignored I25 runtime/turn.cpp
  [[        if (!answers)
            return answers.error();]]
  [[        if (!answers && PLANTED)
            return {};
        if (!answers)
            return answers.error();]])
plant(sent_twice I2 runtime/turn_write.cpp
  [[    m_sender.send(call);]]
  [[    m_sender.send(call);
    if (PLANTED && call.attempt == 2)
        m_sender.send(call);]])
plant(other_bytes I5 runtime/answers.cpp
  [[        call.request = step.forward.request;]]
  [[        call.request = step.forward.request;
        if (PLANTED && send.attempt > 1)
            call.request.body += ' ';]])
plant(outbox_row_dropped I17a runtime/announce.cpp
  [[        if (!isTold(entry))
            continue;]]
  [[        if (!isTold(entry) || (PLANTED && entry.kind == EntryKind::finished))
            continue;]])
plant(two_take_over_one_key I1 runtime/turn.cpp
  [[    m_taken.insert({row.operation, row.key}, row);]]
  [[    if (!PLANTED)
        m_taken.insert({row.operation, row.key}, row);]]
  1335)
plant(failed_key_stays_free I1 runtime/turn.cpp
  [[    if (mine && found.status == QLatin1String("processing"))]]
  [[    if (mine && (found.status == QLatin1String("processing") ||
                 (PLANTED && found.status == QLatin1String("failed"))))]]
  8646)
plant(sent_under_a_later_lease I1 runtime/turn_write.cpp
  [[    call.sendBeforeMonotonic = m_leaseOfTurn;]]
  [[    call.sendBeforeMonotonic = PLANTED ? m_leaseUntil : m_leaseOfTurn;]]
  2783122)
plant(zombie_settles_decision I9 runtime/turn_write.cpp
  [[            } else if (work.commanded) {]]
  [[            } else if (work.commanded && !PLANTED) {]]
  2355716)
plant(batch_acts_on_what_moved H7 runtime/batch_watch.cpp
  [[    if (!*run || (*run)->seq != item.version) {]]
  [[    if (!*run || (!PLANTED && (*run)->seq != item.version)) {]])
plant(batch_leaves_out_what_it_could_do H7 runtime/batch_watch.cpp
  [[    item.state = u"recorded"_s;
    return item;]]
  [[    if (!PLANTED || item.place != 2)
        item.state = u"recorded"_s;
    return item;]])

# The database.
plant(no_fence_in_where I8 store/memory_turn.cpp
  [[        if (found == db.runs.end() || found->second.fence != fence ||
            found->second.seq != row.seq - 1) {]]
  [[        if (found == db.runs.end() ||
            (!PLANTED && (found->second.fence != fence || found->second.seq != row.seq - 1))) {]])
plant(fence_begins_anew I9 store/memory_turn.cpp
  [[        ++run.run.fence;]]
  [[        run.run.fence = PLANTED && run.takenOver ? 1 : run.run.fence + 1;]])
plant(takeover_lost I18 store/memory_turn.cpp
  [[    return worker == m_database->workers.end() ||]]
  [[    return !PLANTED && worker == m_database->workers.end() ? true : PLANTED ? false :]])
plant(command_acts_twice I18 store/memory_turn.cpp
  [[    for (const CommandRow &row : writes.commandsApplied) {
        if (!fenced.contains(row.runId))]]
  [[    for (const CommandRow &row : writes.commandsApplied) {
        if (!PLANTED && !fenced.contains(row.runId))]])
plant(open_key_swept B4 store/memory_turn.cpp
  [[row.status != QLatin1String("processing") && !isOpen(row.runId))]]
  [[row.status != QLatin1String("processing") && (PLANTED || !isOpen(row.runId)))]])
plant(no_dedup I19 store/memory_store.cpp
  [[if (const auto found = db.runsByEvent.find(event); found != db.runsByEvent.end())]]
  [[if (const auto found = db.runsByEvent.find(event); found != db.runsByEvent.end() && !PLANTED)]])
plant(second_decision_accepted I13 store/memory_store.cpp
  [[found->second.decidedAt != model::never)
        return false;
    ReviewRow]]
  [[(found->second.decidedAt != model::never && !PLANTED))
        return false;
    ReviewRow]])
plant(audit_row_skipped I23 store/memory_store.cpp
  [[        MemoryDatabase &db = *m_database;
        const auto head = db.auditHeads.find(row.chain);]]
  [[        MemoryDatabase &db = *m_database;
        if (PLANTED && row.action == QLatin1String("resolve"))
            return true;
        const auto head = db.auditHeads.find(row.chain);]])
plant(resent_act_acts_again I23 store/memory_store.cpp
  [[    if (db.commands.count(row.id))
        return false;]]
  [[    if (PLANTED && row.name == QLatin1String("breaker"))
        return true;
    if (db.commands.count(row.id))
        return false;]])
plant(audit_chain_broken I23 store/memory_store.cpp
  [[        row.hash = auditHash(row);]]
  [[        if (PLANTED && row.chainSeq == 3)
            row.previous.clear();
        row.hash = auditHash(row);]])
plant(acknowledged_commit_forgotten I17 store/memory_store.cpp
  [[    m_undo.clear();
    rollback();
    return {};]]
  [[    static int commits = 0;
    if (!PLANTED || ++commits % 97 != 0)
        m_undo.clear();
    rollback();
    return {};]])
plant(batch_never_learns I18 store/memory_batches.cpp
  [[            if (told.appliedAt == model::never)]]
  [[            if (PLANTED || told.appliedAt == model::never)]])
plant(held_batch_goes_on H7 store/memory_batches.cpp
  [[        if (row.state != "running"_L1 || row.taken != item.place - 1 || taken.state != "pending"_L1)]]
  [[        if ((row.state != "running"_L1 && !PLANTED) || row.taken != item.place - 1 || taken.state != "pending"_L1)]])
plant(held_batch_goes_on "" store/memory_batches.cpp
  [[        if (row.state == "running"_L1)
            rows.append(row);]]
  [[        if (row.state == "running"_L1 || (PLANTED && row.state == "held"_L1))
            rows.append(row);]])
plant(stopped_batch_leaves_items H7 store/memory_batches.cpp
  [[row.state == "stopped"_L1 && place <= row.chosen; ++place) {]]
  [[!PLANTED && row.state == "stopped"_L1 && place <= row.chosen; ++place) {]])
plant(batch_item_not_audited I23 store/memory_batches.cpp
  [[            if (const auto audited = appendAudit(auditRowOf(row, taken, at)); !audited)]]
  [[            if (const auto audited = PLANTED ? Result<void>() : appendAudit(auditRowOf(row, taken, at)); !audited)]])

foreach(file ${planted_files})
  string(REPLACE "/" "_" variable ${file})
  file(CONFIGURE OUTPUT ${planted_folder}/${file} CONTENT "${planted_${variable}}" @ONLY)
endforeach()
file(CONFIGURE OUTPUT ${planted_folder}/bugs.cpp CONTENT "#include \"simulation/planted/planted.h\"

namespace holdfast::planted
{

const Bug bugs[] = {
${planted_list}};
const int bugCount = int(sizeof bugs / sizeof bugs[0]);

} // namespace holdfast::planted
" @ONLY)

# Folder by folder, as in the product, because names are unique within a folder only.
function(planted_folder_of folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/${folder}/*.cpp)
  if(ARGN)
    list(FILTER sources INCLUDE REGEX "${ARGN}")
  endif()
  foreach(file ${planted_files})
    if(file MATCHES "^${folder}/")
      list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/core/${file})
      list(APPEND sources ${planted_folder}/${file})
    endif()
  endforeach()
  add_library(planted_${folder} OBJECT ${sources})
  target_include_directories(planted_${folder} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/core)
  target_link_libraries(planted_${folder} PUBLIC holdfast_ports holdfast_contract)
endfunction()
planted_folder_of(engine)
planted_folder_of(runtime "/(alert_watch|answers|batch_watch|catalog|crash_point|memory|projection|ramp_watch|rollup_sum|routine|tripwire_watch|turn[a-z_]*)\\.cpp$")
planted_folder_of(store "/(memory_[a-z]+|audit_chain|guarded_statement|run_filter|statements)\\.cpp$")
target_sources(planted_store PRIVATE ${CMAKE_SOURCE_DIR}/core/store/store.qrc ${planted_folder}/bugs.cpp)
