# The HIPE-2026 campaign: the official Makefile's targets and variables, served by `adjudicate campaign`.
# Override a variable from the environment or the command line, e.g. `make eval-full RESULTS_DIR=out.d`.

CAMPAIGN ?= .
REFERENCE_DIR ?= data/reference
SUBMISSIONS_DIR ?= data/systems
RESULTS_DIR ?= results.d
PER_RUN_DIR ?= $(RESULTS_DIR)/per-run
RANKINGS_DIR ?= $(RESULTS_DIR)/system-rankings
DIAGNOSTICS_DIR ?= $(RESULTS_DIR)/diagnostics
GT_VALIDATION_DIR ?= $(RESULTS_DIR)/gt-validation
ENSEMBLE_DIR ?= $(RESULTS_DIR)/ensemble
RESULTS_MD ?= HIPE_2026_evaluation_results.md
CONFIG ?=
TEAMS ?=
AT_LABEL_MODE ?= TERNARY
ADJUDICATE ?= $(if $(wildcard .venv/bin/adjudicate),.venv/bin/adjudicate,adjudicate)

campaign_call = $(ADJUDICATE) -C $(CAMPAIGN) campaign
campaign_places = --reference-dir $(REFERENCE_DIR) --submissions-dir $(SUBMISSIONS_DIR) --results-dir $(RESULTS_DIR) \
	--per-run-dir $(PER_RUN_DIR) --rankings-dir $(RANKINGS_DIR) --diagnostics-dir $(DIAGNOSTICS_DIR) \
	--gt-validation-dir $(GT_VALIDATION_DIR) --ensemble-dir $(ENSEMBLE_DIR) --results-md $(RESULTS_MD) \
	--at-label-mode $(AT_LABEL_MODE) $(if $(CONFIG),--config $(CONFIG)) $(if $(TEAMS),--teams $(TEAMS))

.PHONY: validate-reference validate-submissions validate-info score rankings diagnostics gt-validation results-md ensemble \
	eval-full eval-full-refresh eval-binary clean clean-results

validate-reference: ## Campaign: check the gold files
	$(campaign_call) validate --only reference $(campaign_places)

validate-submissions: ## Campaign: check the submissions
	$(campaign_call) validate --only submissions $(campaign_places)

validate-info: ## Campaign: check the information files
	$(campaign_call) validate --only info $(campaign_places)

score: ## Campaign: score every submission (a bad one is named, the rest is scored)
	$(campaign_call) score $(campaign_places)

rankings: score ## Campaign: ranking tables
	$(campaign_call) rankings $(campaign_places)

diagnostics: ## Campaign: diagnostics of every run
	$(campaign_call) diagnostics $(campaign_places)

gt-validation: rankings ## Campaign: workbooks of doubtful gold labels
	$(campaign_call) gt-validation $(campaign_places)

results-md: rankings diagnostics ## Campaign: the results page, Markdown and HTML
	$(campaign_call) results-md $(campaign_places)

ensemble: ## Campaign: ensembles of the runs
	$(campaign_call) ensemble $(campaign_places)

eval-full: ## Campaign: validation, scores, rankings, diagnostics and results page in one pass
	$(campaign_call) full $(campaign_places)

eval-full-refresh: clean-results ## Campaign: the same from nothing
	$(MAKE) eval-full

eval-binary: ## Campaign: the same with PROBABLE counted as TRUE, in results-binary.d
	$(MAKE) eval-full RESULTS_DIR=results-binary.d RESULTS_MD=HIPE_2026_evaluation_results-binary.md AT_LABEL_MODE=BINARY

clean-results: ## Campaign: remove the generated results
	@case "$(RESULTS_DIR)" in "" | . | ./ | .. | ../ | / | data*) echo "RESULTS_DIR is '$(RESULTS_DIR)': nothing is removed" >&2; exit 2;; esac
	rm -rf $(CAMPAIGN)/$(RESULTS_DIR) $(CAMPAIGN)/$(RESULTS_MD)

clean: clean-results ## Campaign: the same, as the official Makefile calls it
